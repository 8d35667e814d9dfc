import type { Actor, AuthenticatedContext, Claims } from './auth/context.ts';
import type { Statement } from './db/db.ts';
import type { BodyOf, Endpoint, ParamsOf, QueryOf, Role } from './endpoint/endpoint.ts';
import type { RequestContext } from './http/context.ts';
import type { Answer } from './http/respond.ts';

export type Statements = readonly Statement[];
export type Rows<S extends Statements> = { -readonly [K in keyof S]: S[K]['_']['result'] };

export type PublicEndpoint = Endpoint & { access: 'public' };
export type GuardedEndpoint = Endpoint & { access: 'bearer' | readonly Role[] };

/** What was sent, once it is valid. */
export interface Parts<E extends Endpoint> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
}

type AnswerOf<E extends Endpoint> = Answer<keyof E['returns'] & number> | Answer<304>;
type Answering<E extends Endpoint> = AnswerOf<E> | Promise<AnswerOf<E>>;

/** How a public endpoint is answered: nobody is known to ask. */
export interface PublicHandler<E extends Endpoint, S extends Statements> {
  /** Reads that are made before the answer, in one round trip. */
  reads?(request: RequestContext & Parts<E>): S;
  answer(request: RequestContext & Parts<E>, rows: Rows<S>): Answering<E>;
}

/** The record that a path names: how it is read, and who may know that it exists. */
export interface Resource<E extends Endpoint, Row> {
  read(request: RequestContext & Pick<Parts<E>, 'params'> & { caller: Claims }): Statement<Row[]>;
  visible(row: NoInfer<Row>, actor: Actor): boolean;
}

/** How an endpoint is answered that takes a token. */
export interface GuardedHandler<E extends Endpoint, Row, S extends Statements> {
  resource?: Resource<E, Row>;
  /** Reads that ride along with the session check, in the same round trip; `caller` is proved by signature alone. */
  reads?(request: RequestContext & Parts<E> & { caller: Claims }): S;
  answer(request: AuthenticatedContext & Parts<E>, rows: Rows<S>, resource: Row): Answering<E>;
}

/** Puts an endpoint on the app with what answers it. */
export interface Mount {
  <const E extends PublicEndpoint, const S extends Statements = readonly []>(
    endpoint: E,
    handler: PublicHandler<E, S>,
  ): void;
  <const E extends GuardedEndpoint, Row = undefined, const S extends Statements = readonly []>(
    endpoint: E,
    handler: GuardedHandler<E, Row, S>,
  ): void;
}
