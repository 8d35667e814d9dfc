/** A text of fewer characters fits into one packet as it is. */
const minCharacters = 1_024;

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Cloudflare and other proxies compress an answer by themselves unless it says `no-transform` (RFC 9111, 5.2.2.6). */
export const unpacked = 'no-store, no-transform';

/**
 * Whether an answer may be packed. Only those to reads are: whatever hands out a secret is a write, and where a secret
 * is packed together with what a client chose, its length gives the secret away (BREACH).
 */
export const mayCompress = (method: string, body: string | null): body is string =>
  body !== null && body.length > minCharacters && isRead(method);
