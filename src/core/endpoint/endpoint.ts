import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import { idParam } from './fields.ts';
import type { LazyShape, OutputOf } from './lazy-shape.ts';
import type { MessageKey } from './messages.ts';
import { once } from './once.ts';
import type { Role } from './roles.ts';
import type { Sentence } from './sentences.ts';

export type { Role };

/** A scope of an API key: to read or to write one kind of the clinic's data. Each opens an endpoint. */
export const scopes = [
  'bookings:read',
  'bookings:write',
  'patients:read',
  'patients:write',
  'catalog:read',
  'catalog:write',
  'queue:write',
  'arrivals:write',
  'events:read',
  'events:write',
  'statistics:read',
  'export:read',
  'fhir:read',
  'fhir:write',
  'antrean:write',
] as const;

export type Scope = (typeof scopes)[number];

/** One successful answer: its payload in addition to `status`, and its sentence, if any. */
export interface Returned {
  description: string;
  data?: LazyShape;
  meta?: LazyShape;
  /** Its key in the messages, or, if no other endpoint says it, the sentence. Sent unless the handler gives another one. */
  message?: MessageKey | Sentence;
  /** Response headers beyond those that every answer, a page of a list and a stored answer have. */
  headers?: readonly (
    | 'ETag'
    | 'Location'
    | 'Content-Disposition'
    | 'Content-Language'
    | 'X-Device-Token'
    | 'Set-Cookie'
  )[];
  /** For an answer that is not a JSON envelope, such as a calendar file. */
  contentType?: string;
  /** In addition to JSON, if the request's Accept prefers it. */
  alsoAs?: 'text/csv';
}

type Disclosure = 'record' | 'list' | 'export' | 'own' | 'nothing';

export interface Deprecation {
  /** The dates (UTC) from which it should not be used any more, and on which it ends: half a year later at the earliest. */
  since: `${number}-${number}-${number}`;
  ends: `${number}-${number}-${number}`;
  /** What to use in its place, such as `GET /v1/events`. */
  instead: string;
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
  /** The scope that an API key needs; without one the endpoint is for people only, and no key may call it. */
  scope?: Scope;
  /** Of a path with `{id}`: the id of a record, unless set. */
  params?: LazyShape<z.ZodMiniObject>;
  query?: LazyShape<z.ZodMiniObject>;
  body?: LazyShape<z.ZodMiniObject>;
  /** Every field of the body is optional, so no body at all is the same as `{}`. */
  bodyOptional?: true;
  /** Unknown query parameters are ignored instead of refused, as the first clients were promised. */
  ignoresUnknownQuery?: true;
  /** Takes an Idempotency-Key. */
  idempotent?: true;
  /** A POST without a key whose repeat changes nothing of anybody's. */
  repeatable?: true;
  /** A POST that only searches, by its body: an audit line of it is that of a read. */
  searches?: true;
  /** The path at which the created record is found by its id, if it is not the endpoint's own path. */
  makesUnder?: string;
  /** Its answer contains a secret, which is never stored: a repeated request is answered that its key is used up. */
  answersSecret?: true;
  /** Public, but with a token the answer depends on the caller. */
  takesToken?: true;
  /**
   * Which patient data a read shows to the clinic's people, for the audit trail: one record, which its answer names;
   * many, or all of them in a file; the caller's own account and family; or none. Every read that takes a token
   * declares it.
   */
  discloses?: Disclosure;
  /** Works with a cookie, so it is answered to our own pages alone; or does where the body names one. */
  sameOrigin?: true | 'with app';
  deviceToken?: true;
  /** Takes an X-Hold-Secret. */
  holdSecret?: true;
  /** Also for a login whose account still has to set up a second factor. */
  beforeEnrolment?: true;
  /** Requires a login or a confirmation within the last 10 minutes; or only if one of these fields is given. */
  recentLogin?: true | readonly string[];
  /** It will end: every answer says so (RFC 9745, RFC 8594), and the document. */
  deprecated?: Deprecation;
  returns: Readonly<Record<number, Returned>>;
  /** The failures specific to this endpoint; `listFailures` adds those that follow from its shape. */
  fails?: readonly ErrorCode[];
}

const madeOnce = <S extends z.ZodMiniType>(shape: LazyShape<S> | undefined): LazyShape<S> | undefined =>
  shape && once(shape);

/** The same contract or answer, in which each shape that it has is made once. */
const withParts = <C extends object>(
  contract: C,
  shapes: Readonly<Record<string, LazyShape | undefined>>,
): C => {
  const present = Object.entries(shapes).filter(([, shape]) => shape !== undefined);
  return { ...contract, ...Object.fromEntries(present) };
};

const returnedOnce = (returned: Returned): Returned =>
  withParts(returned, { data: madeOnce(returned.data), meta: madeOnce(returned.meta) });

/**
 * Declares a contract once; validator, types, OpenAPI and tests all derive from it. Its shapes are made at their first
 * use: a Worker starts without them, and never needs those of its answers.
 */
export const endpoint = <const E extends Endpoint>(contract: E): E => {
  const { path, query, body } = contract;
  const params = contract.params ?? (path.includes('{id}') ? idParam : undefined);
  const returns: Record<number, Returned> = {};
  for (const [status, returned] of Object.entries(contract.returns))
    returns[Number(status)] = returnedOnce(returned);
  const shapes = { params: madeOnce(params), query: madeOnce(query), body: madeOnce(body) };
  return { ...withParts(contract, shapes), returns };
};

type Parsed<S> = S extends LazyShape ? OutputOf<S> : Record<never, never>;

export type ParamsOf<E extends Endpoint> = E extends { params: LazyShape }
  ? OutputOf<E['params']>
  : E['path'] extends `${string}{id}${string}`
    ? { id: string }
    : Record<never, never>;
export type QueryOf<E extends Endpoint> = Parsed<E['query']>;
export type BodyOf<E extends Endpoint> = Parsed<E['body']>;

/** Every failure that a call can meet: the contract's own, and those that its parts bring with them. */
export const listFailures = (contract: Endpoint): ErrorCode[] => {
  const isWrite = contract.method !== 'get';
  const takesToken = contract.access !== 'public' || contract.takesToken === true;
  const brought: (ErrorCode | false)[] = [
    takesToken && 'unauthenticated',
    takesToken && 'insufficient_scope',
    takesToken && 'rate_limited',
    Array.isArray(contract.access) && 'forbidden',
    contract.access !== 'public' && !contract.beforeEnrolment && 'second_factor_enrolment_required',
    contract.recentLogin !== undefined && 'reauthentication_required',
    contract.sameOrigin !== undefined && 'cross_site',
    contract.params !== undefined && 'not_found',
    (contract.query !== undefined || !contract.ignoresUnknownQuery) && 'invalid_query',
    isWrite && 'payload_too_large',
    isWrite && 'unsupported_media_type',
    isWrite && 'malformed_json',
    contract.body !== undefined && 'validation_failed',
    contract.idempotent === true && 'invalid_header',
    contract.idempotent === true && 'idempotency_key_reused',
    contract.answersSecret === true && 'idempotency_key_spent',
    'internal',
    'unavailable',
  ];
  return [...new Set([...(contract.fails ?? []), ...brought.filter((code) => code !== false)])];
};
