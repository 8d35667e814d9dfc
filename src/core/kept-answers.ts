/** An answer to a public read that is kept for some seconds. */
export interface KeptAnswer {
  headers: [name: string, value: string][];
  body: ArrayBuffer;
  /** When it was made, in milliseconds since 1970. */
  madeAt: number;
}

/** Where answers are kept, by an address that says all that they depend on. */
export interface PublicCache {
  find: (key: string) => Promise<KeptAnswer | null> | KeptAnswer | null;
  /** Called before the answer is computed; the returned function keeps it. */
  begin: (key: string) => (answer: KeptAnswer) => Promise<void> | void;
  /** The headers by which answers to one address differ. */
  variesBy: readonly string[];
}
