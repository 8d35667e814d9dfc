import { Failure } from '../endpoint/errors.ts';
import type { WholeMessageKey } from '../endpoint/messages.ts';

/** The request's idempotency key and what it was first used for. */
export interface Idempotency {
  key: string;
  /** SHA-256 of method, path and body, hexadecimal. */
  fingerprint: string;
}

/** An answer that is kept, in the same step as its effect, for a repeat of the request. */
export interface StoredResponse {
  idempotency: Idempotency;
  status: number;
  body: object;
}

/** Says what is to be kept of an answer; null where the request has no idempotency key. */
export type ResponseToStore = (answer: {
  status: number;
  data?: unknown;
  message?: WholeMessageKey;
}) => StoredResponse | null;

/** Thrown where a change finds that the same request was answered while it was being decided. */
export class RequestRepeated extends Error {}

// draft-ietf-httpapi-idempotency-key-header writes a quoted string; most clients send the bare key.
export const keyForm = /^(?:"([\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

const hexadecimal = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The key in an Idempotency-Key header; null unless it is 1 to 255 visible characters. */
export const idempotencyKey = (header: string): string | null => {
  const match = keyForm.exec(header.trim());
  return match?.[1] ?? match?.[2] ?? null;
};

/** What the key of a header stands for, with the request that it comes with. */
export const idempotencyOf = async (
  key: string,
  method: string,
  path: string,
  body: string,
): Promise<Idempotency> => {
  const request = new TextEncoder().encode(`${method} ${path}\n${body}`);
  return { key, fingerprint: hexadecimal(await crypto.subtle.digest('SHA-256', request)) };
};

/** Stored for an answer with a secret, which itself is not: no effect has this status. */
export const spentAnswer = { status: 409, body: {} } as const;

/** Throws `idempotency_key_spent` when the answer to the same request held a secret. */
export const assertNotSpent = ({ status }: { status: number }): void => {
  if (status === spentAnswer.status) throw new Failure('idempotency_key_spent');
};

/** Throws `idempotency_key_reused` when the kept answer belongs to another request. */
export const assertSameRequest = (stored: { fingerprint: string }, { fingerprint }: Idempotency): void => {
  if (stored.fingerprint !== fingerprint) throw new Failure('idempotency_key_reused');
};
