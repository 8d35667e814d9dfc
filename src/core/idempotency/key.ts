import { Failure } from '../endpoint/errors.ts';
import type { WholeMessageKey } from '../endpoint/messages.ts';
import type { Sentence } from '../endpoint/sentences.ts';

/** The request's idempotency key and what it was first used for. */
export interface Idempotency {
  key: string;
  /** SHA-256 of method, path and body, hexadecimal. */
  fingerprint: string;
}

/** A response that is stored in the same step as its effect, to answer a repeat of the request. */
export interface StoredResponse {
  idempotency: Idempotency;
  status: number;
  body: object;
}

/** Makes the response to store; null if the request has no idempotency key. */
export type ResponseToStore = (answer: {
  status: number;
  data?: unknown;
  meta?: unknown;
  message?: WholeMessageKey | Sentence;
}) => StoredResponse | null;

/** Thrown when a change finds that the same request has been answered in the meantime. */
export class RequestRepeated extends Error {}

// draft-ietf-httpapi-idempotency-key-header requires a quoted string; most clients send the bare key.
export const keyForm = /^(?:"([\x21\x23-\x7e]{1,255})"|([\x21\x23-\x7e]{1,255}))$/;

export const hexadecimal = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

/** The key in an Idempotency-Key header; null unless it is 1 to 255 visible characters. */
export const idempotencyKey = (header: string): string | null => {
  const match = keyForm.exec(header.trim());
  return match?.[1] ?? match?.[2] ?? null;
};

/** The idempotency key together with the fingerprint of its request. */
export const computeIdempotency = async (
  key: string,
  method: string,
  path: string,
  body: string,
): Promise<Idempotency> => {
  const request = new TextEncoder().encode(`${method} ${path}\n${body}`);
  return { key, fingerprint: hexadecimal(await crypto.subtle.digest('SHA-256', request)) };
};

/** Stored in place of an answer with a secret. No change is answered with this status. */
export const spentAnswer = { status: 409, body: {} } as const;

/** Throws `idempotency_key_spent` if the answer to the same request had a secret in it. */
export const assertNotSpent = ({ status }: { status: number }): void => {
  if (status === spentAnswer.status) throw new Failure('idempotency_key_spent');
};

/** Throws `idempotency_key_reused` if the stored response belongs to another request. */
export const assertSameRequest = (stored: { fingerprint: string }, { fingerprint }: Idempotency): void => {
  if (stored.fingerprint !== fingerprint) throw new Failure('idempotency_key_reused');
};
