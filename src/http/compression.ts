/** A text of fewer characters fits into one packet as it is. */
const minCharacters = 1_024;

/**
 * Whether an answer may be packed. Only those to reads are: whatever hands out a secret is a write, and where a secret
 * is packed together with what a client chose, its length gives the secret away (BREACH).
 */
export const mayCompress = (method: string, body: string | null): body is string =>
  body !== null && body.length > minCharacters && (method === 'GET' || method === 'HEAD');
