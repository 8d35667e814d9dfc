/** A shorter text fits into one packet uncompressed. */
const minCharacters = 1_024;

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Cloudflare and other proxies compress an answer by themselves unless it says `no-transform` (RFC 9111, 5.2.2.6). */
export const unpacked = 'no-store, no-transform';

/**
 * Whether an answer may be compressed. Only answers to reads are: every answer with a secret is to a write, and if a
 * secret is compressed together with text that a client chose, the length reveals the secret (BREACH).
 */
export const mayCompress = (method: string, body: string | null): body is string =>
  body !== null && body.length > minCharacters && isRead(method);
