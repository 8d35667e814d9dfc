import type { Hono } from 'hono';
import { type ClientRequestOptions, hc } from 'hono/client';
import type { components, paths, webhooks } from './interface.ts';

type HonoPath<P> = P extends `${infer Before}{${infer Name}}${infer After}`
  ? `${Before}:${Name}${HonoPath<After>}`
  : P;
type Nothing = Record<never, never>;

/** Hono's client writes numbers into the query as they are; what another page gave as text may go on as text. */
type QueryValue<T> = T extends number ? T | `${number}` : T;
type Given<O, K extends PropertyKey> = O extends { parameters: Record<K, infer G extends object> }
  ? G
  : Nothing;

type Param<O> = [keyof Given<O, 'path'>] extends [never] ? Nothing : { param: Given<O, 'path'> };
type Query<O> = O extends { parameters: { query?: infer Q extends object } }
  ? [Q] extends [never]
    ? Nothing
    : { query?: { [N in keyof Q]: QueryValue<Q[N]> } }
  : Nothing;
type Json<O> = O extends { requestBody: { content: { 'application/json': infer B } } }
  ? { json: B }
  : O extends { requestBody?: { content: { 'application/json': infer B } } }
    ? { json?: B }
    : Nothing;
type Key<O> = O extends { parameters: { header?: infer H } }
  ? 'Idempotency-Key' extends keyof H
    ? { header?: { 'Idempotency-Key'?: string } }
    : Nothing
  : Nothing;
type Inputs<O> = Param<O> & Query<O> & Json<O> & Key<O>;

/** Only some failures name fields; of any other the list is simply not there. */
type WithErrors<C> = C extends { status: 'error' }
  ? 'errors' extends keyof C
    ? C
    : C & { errors?: never }
  : C;
type Answered<O, S, C, F> = C extends unknown
  ? { input: Inputs<O>; output: WithErrors<C>; outputFormat: F; status: S }
  : never;
type Answers<O, R> = {
  [S in keyof R & number]: R[S] extends { content: { 'application/json': infer C } }
    ? Answered<O, S, C, 'json'>
    : R[S] extends { content: { 'text/calendar': infer T } }
      ? Answered<O, S, T, 'text'>
      : never;
}[keyof R & number];

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type Endpoints<P> = {
  [M in keyof P & Method as P[M] extends { responses: object } ? `$${M}` : never]: P[M] extends {
    responses: infer R;
  }
    ? Answers<P[M], R>
    : never;
};

/** The whole interface as Hono's client reads it, computed from the OpenAPI document. */
export type AppType = Hono<Nothing, { [P in keyof paths & string as HonoPath<P>]: Endpoints<paths[P]> }, '/'>;

type AnyFailure = Extract<
  components['schemas'][keyof components['schemas']],
  { status: 'error'; code: string }
>;
/** The shapes that the interface names, such as `Schemas['BookingDetail']`. */
export type Schemas = components['schemas'];
export type ErrorCode = AnyFailure['code'];

/** A failure by its code: the envelope, and the facts that the code brings. */
export type FailureBody<C extends ErrorCode = ErrorCode> = WithErrors<Extract<AnyFailure, { code: C }>>;

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
      const current = token?.() ?? null;
      return {
        ...(current !== null && { Authorization: `Bearer ${current}` }),
        ...(language !== undefined && { 'Accept-Language': language }),
      };
    },
  });

/** The body of an event that the service sends to a receiver; of every type unless one is named. */
export type WebhookEvent<T extends keyof webhooks = keyof webhooks> = {
  [N in T]: webhooks[N]['post']['requestBody']['content']['application/json'];
}[T];
