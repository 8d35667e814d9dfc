import type * as z from 'zod';
import type { ErrorCode } from './errors.ts';
import type { MessageKey } from './messages.ts';

export type Role = 'patient' | 'doctor' | 'staff' | 'admin';

/** One successful answer: its payload beside `status`, and the sentence it carries, if any. */
export interface Returned {
  description: string;
  data?: z.ZodType;
  meta?: z.ZodType;
  message?: MessageKey;
  /** Response headers beyond those that every answer has. */
  headers?: readonly ('ETag' | 'Link' | 'Location' | 'Idempotency-Replayed')[];
  /** For an answer that is no JSON envelope, such as a calendar file. */
  contentType?: string;
}

export interface Endpoint {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** With `{id}` for path parameters, as OpenAPI writes them. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** Who may call: anyone, any logged-in person, or certain roles. */
  access: 'public' | 'bearer' | readonly Role[];
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodObject;
  /** Every field of the body is optional, so no body at all is the same as `{}`. */
  bodyOptional?: true;
  /** Takes an Idempotency-Key. */
  idempotent?: true;
  returns: Readonly<Record<number, Returned>>;
  fails: readonly ErrorCode[];
}

/** Declares a contract once; validator, types, OpenAPI and tests are all made from it. */
export const endpoint = <const E extends Endpoint>(contract: E): E => contract;

type Parsed<S> = S extends z.ZodType ? z.output<S> : Record<never, never>;

export type ParamsOf<E extends Endpoint> = Parsed<E['params']>;
export type QueryOf<E extends Endpoint> = Parsed<E['query']>;
export type BodyOf<E extends Endpoint> = Parsed<E['body']>;
