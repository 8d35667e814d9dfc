import type { Claims } from '../core/crypto/token-keys.ts';
import { type Named, type NamedResults, type Reading, reading, type Statement } from '../core/db/db.ts';
import type { Deps } from '../core/deps.ts';
import type { BodyOf, Endpoint, ParamsOf, QueryOf, Role } from '../core/endpoint/endpoint.ts';
import type { RequestContext } from '../core/http/context.ts';
import type { Format } from '../core/http/format.ts';
import type { Answer } from '../core/http/respond.ts';
import type { AnyActor, AnyContext, AuthenticatedContext, KeyClaims } from './auth/context.ts';

export type Statements = readonly Statement[];
type Rows<S extends Statements> = { -readonly [K in keyof S]: S[K]['_']['result'] };

/** What a handler reads before it answers: a statement, several by names, or a reading that makes one value of them. */
export type Reads = Statement | Named | Reading<unknown> | Statements;
/** The results that these reads give to the handler. */
type Given<S extends Reads> =
  S extends Reading<infer R>
    ? R
    : S extends Statement<infer R>
      ? R
      : S extends Statements
        ? Rows<S>
        : S extends Named
          ? NamedResults<S>
          : never;

export type PublicEndpoint = Endpoint & { access: 'public' };
export type AuthenticatedEndpoint = Endpoint & { access: 'bearer' | readonly Role[] };

const isStatement = (reads: Reads): reads is Statement => '_prepare' in reads;
const first = ([result]: readonly unknown[]): unknown => result;
const unchanged = (results: readonly unknown[]): unknown => results;

export const toReading = (reads: Reads): Reading<unknown> => {
  if (isStatement(reads)) return { statements: [reads], toResult: first };
  if ('toResult' in reads) return reads as Reading<unknown>;
  return Array.isArray(reads) ? { statements: reads, toResult: unchanged } : reading(reads as Named);
};

/** The validated input. */
export interface Parts<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
}

type AnswerOf<E extends Endpoint> = Answer<keyof E['returns'] & number> | Answer<304>;
type Answering<E extends Endpoint> = AnswerOf<E> | Promise<AnswerOf<E>>;

/** The caller, for a public endpoint that takes a token; null without one. */
type PossibleCaller<E extends Endpoint> = E extends { takesToken: true }
  ? { actor: AnyActor | null }
  : unknown;

/** How a public endpoint is answered: its caller is unknown, unless it takes a token and one came along. */
export interface PublicHandler<E extends Endpoint, S extends Reads> {
  /** Reads that are made before the answer, in one round trip. */
  reads?(request: RequestContext & Parts<E>): S;
  answer(request: RequestContext & Parts<E> & PossibleCaller<E>, rows: Given<S>): Answering<E>;
}

/** The caller, by the token: a person's account, or a key of the clinic. */
interface Caller {
  userId: string;
}

/** Where a contract has a scope, a key of the clinic may call too, and nothing is known of a person or a login. */
type ContextOf<E extends Endpoint> = 'scope' extends keyof E ? AnyContext : AuthenticatedContext;

/** The record that a path names: how it is read, and who may know that it exists. */
interface Resource<E extends Endpoint, Row> {
  read(request: RequestContext & Pick<Parts<E>, 'params'> & { caller: Caller }): Statement<Row[]>;
  visible(row: NoInfer<Row>, actor: AnyActor, now: number): boolean;
  /** Where it is if the read finds none: asked only then, in round trips of its own. */
  elsewhere?(
    request: RequestContext & Pick<Parts<E>, 'params'> & { caller: Caller },
  ): Promise<NoInfer<Row> | undefined>;
}

/** How an endpoint is answered that takes a token. */
export interface AuthenticatedHandler<E extends Endpoint, Row, S extends Reads> {
  resource?: Resource<E, Row>;
  /** Reads in the same round trip as the check of the login; `caller` is proved by signature alone. */
  reads?(request: RequestContext & Parts<E> & { caller: Caller }): S;
  answer(request: ContextOf<E> & Parts<E>, rows: Given<S>, resource: Row): Answering<E>;
  /** Answers a repeated request from the data that was stored; without it the stored answer is sent again. */
  repeat?(request: ContextOf<E> & Parts<E>, stored: unknown): Answering<E>;
}

/** The claims of who calls, by the headers of a request; the database is asked afterwards. Throws `unauthenticated`. */
export type Identify = (
  deps: Deps,
  header: (name: string) => string | undefined,
  now: number,
  path: string,
) => Claims | KeyClaims | Promise<Claims | KeyClaims>;

/** What the endpoints below a path speak that is not `/v1`: their format, and how a caller is named. */
export interface Dialect extends Format {
  /** Without it callers are named by a bearer token, as in `/v1`. */
  identify?: Identify;
}

/** A dialect with the endpoints that speak it; their contracts are in lists of their own. */
export interface Spoken {
  dialect: Dialect;
  mountRoutes: (mount: Mount) => void;
}

/** Puts an endpoint on the app with what answers it. */
export interface Mount {
  <const E extends PublicEndpoint, const S extends Reads = readonly []>(
    endpoint: E,
    handler: PublicHandler<E, S>,
  ): void;
  <const E extends AuthenticatedEndpoint, Row = undefined, const S extends Reads = readonly []>(
    endpoint: E,
    handler: AuthenticatedHandler<E, Row, S>,
  ): void;
}
