declare module 'cloudflare:workers' {
  /** Lets work go on after the answer to the request that is being served. */
  export function waitUntil(work: Promise<unknown>): void;
}
