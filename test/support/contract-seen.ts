/** An answer of the service as a client sees it. */
export interface Seen {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON came.
  body: any;
}
