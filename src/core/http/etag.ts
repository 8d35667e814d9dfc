import { toBase64Url } from '../crypto/base64url.ts';
import { type Answer, JsonText } from './respond.ts';

const opaque = (tag: string): string => tag.trim().replace(/^W\//, '');

/** Whether an If-None-Match header names this tag, compared weakly (RFC 9110, 13.1.2). */
export const sameTag = (header: string, tag: string): boolean =>
  header === '*' || header.split(',').some((candidate) => opaque(candidate) === opaque(tag));

/** The caching of an answer that differs by token: `open` without a token, else private. */
export const cachedFor = (
  actor: object | null,
  open = { 'Cache-Control': 'public, no-cache' },
): Readonly<Record<string, string>> => ({
  ...(actor === null ? open : { 'Cache-Control': 'private, no-cache' }),
  Vary: 'Authorization',
});

/**
 * An answer with an ETag of its content; 304 without a body when the client already has it (RFC 9110, 13.1.2). Clients
 * may store a public one, but must revalidate it each time; `caching` says how long a shared cache need not, or that
 * only the program that asked caches it.
 * The tag is weak, since the answer may go packed or not: it names the content, whatever its bytes.
 */
export const withETag = async <const S extends number>(
  header: (name: string) => string | undefined,
  answer: Answer<S>,
  caching: Readonly<Record<string, string>> = { 'Cache-Control': 'public, no-cache' },
): Promise<Answer<S> | Answer<304>> => {
  const data =
    answer.data instanceof JsonText ? answer.data : new JsonText(JSON.stringify(answer.data ?? null));
  const content = new TextEncoder().encode(`[${data.text},${JSON.stringify(answer.meta ?? null)}]`);
  const tag = `W/"${toBase64Url((await crypto.subtle.digest('SHA-256', content)).slice(0, 15))}"`;
  const headers = { ...answer.headers, ETag: tag, ...caching };
  const known = header('If-None-Match');
  if (known !== undefined && sameTag(known, tag)) return { status: 304, headers };
  // The text that was made for the tag is also sent.
  return { ...answer, ...(answer.data !== undefined && { data }), headers };
};
