import type { Hono } from 'hono';
import { type ClientRequestOptions, hc } from 'hono/client';
import type * as z from 'zod/mini';
import type { Contracts } from './contracts.ts';
import type { BroughtCode, Endpoint, Returned } from './endpoint.ts';
import type { catalogue, ErrorCode } from './errors.ts';
import type { failureExtras } from './failure-extras.ts';
import type { InputOf, LazyShape, OutputOf } from './lazy-shape.ts';

type HonoPath<P> = P extends `${infer Before}{${infer Name}}${infer After}`
  ? `${Before}:${Name}${HonoPath<After>}`
  : P;
type Names<P> = P extends `${string}{${infer Name}}${infer After}` ? Name | Names<After> : never;
type Nothing = Record<never, never>;

type Param<E extends Endpoint> = [Names<E['path']>] extends [never]
  ? Nothing
  : { param: { [N in Names<E['path']>]: string } };
type Query<E> = E extends { query: infer Q extends LazyShape } ? { query?: InputOf<Q> } : Nothing;
type Json<E> = E extends { body: infer B extends LazyShape }
  ? E extends { bodyOptional: true }
    ? { json?: InputOf<B> }
    : { json: InputOf<B> }
  : Nothing;
type Header<E> = E extends { idempotent: true }
  ? { header?: { 'Idempotency-Key'?: string } }
  : E extends { deviceToken: true }
    ? { header?: { 'X-Device-Token'?: string } }
    : Nothing;

type Part<R extends Returned, K extends 'data' | 'meta'> = R[K] extends LazyShape
  ? { [P in K]: OutputOf<R[K]> }
  : Nothing;
type Message<R extends Returned> = R['message'] extends string ? { message: string } : Nothing;
type Success<R extends Returned> = { status: 'success' } & Message<R> & Part<R, 'data'> & Part<R, 'meta'>;

type ExtrasOf<C extends keyof typeof failureExtras> = ReturnType<(typeof failureExtras)[C]>;
type Extras = {
  [C in keyof typeof failureExtras]: {
    readonly [F in keyof ExtrasOf<C>]: z.output<ExtrasOf<C>[F]>;
  };
};

/** A failure by its code: the envelope, and the facts that the code brings. */
export type FailureBody<C extends ErrorCode = ErrorCode> = C extends ErrorCode
  ? {
      status: 'error';
      code: C;
      message: string;
      errors?: Record<string, string[]>;
      request_id: string;
    } & (C extends keyof Extras ? Extras[C] : Nothing)
  : never;

type Inputs<E extends Endpoint> = Param<E> & Query<E> & Json<E> & Header<E>;
type Successes<E extends Endpoint> = {
  [S in keyof E['returns'] & number]: {
    input: Inputs<E>;
    output: E['returns'][S] extends Returned
      ? E['returns'][S]['contentType'] extends string
        ? string
        : Success<E['returns'][S]>
      : never;
    outputFormat: E['returns'][S] extends { contentType: string } ? 'text' : 'json';
    status: S;
  };
}[keyof E['returns'] & number];
type Failures<
  E extends Endpoint,
  C extends ErrorCode = E['fails'][number] | BroughtCode<E>,
> = C extends ErrorCode
  ? {
      input: Inputs<E>;
      output: FailureBody<C>;
      outputFormat: 'json';
      status: (typeof catalogue)[C]['status'];
    }
  : never;

type At<P extends string> = {
  [K in keyof Contracts as Contracts[K]['path'] extends P ? `$${Contracts[K]['method']}` : never]:
    | Successes<Contracts[K]>
    | Failures<Contracts[K]>;
};

/** The whole interface as Hono's client reads it, computed from the contracts. */
export type AppType = Hono<Nothing, { [P in Contracts[keyof Contracts]['path'] as HonoPath<P>]: At<P> }, '/'>;

export interface ClientOptions extends Omit<ClientRequestOptions, 'headers'> {
  /** The access token of a login; asked for at each call, so that it may change. */
  token?: () => string | null;
  language?: 'id' | 'en';
}

/** A typed client of the service at `baseUrl`. */
export const createClient = (baseUrl: string, { token, language, ...options }: ClientOptions = {}) =>
  hc<AppType>(baseUrl, {
    ...options,
    headers: () => {
      const held = token?.() ?? null;
      return {
        ...(held !== null && { Authorization: `Bearer ${held}` }),
        ...(language !== undefined && { 'Accept-Language': language }),
      };
    },
  });
