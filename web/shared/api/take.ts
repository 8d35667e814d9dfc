import type { ErrorCode, FailureBody } from '../../../client/index.ts';
import { mustEnrol } from './enrolment.ts';

/** The return value of hc: the response of one call, by its status. */
interface Answered {
  status: number;
  headers: Headers;
  json(): Promise<unknown>;
}
type Body<R extends Answered> = R extends Answered ? Awaited<ReturnType<R['json']>> : never;

/** A failure that the service answered: its code, its sentence for people, and the further members of this code. */
export class Refused extends Error {
  readonly body: FailureBody;
  readonly status: number;
  /** Seconds to wait before the next try, where the service said so. */
  readonly retryAfter: number | null;

  constructor(body: FailureBody, status: number, retryAfter: number | null) {
    super(body.message);
    this.body = body;
    this.status = status;
    this.retryAfter = retryAfter;
  }

  get code(): ErrorCode {
    return this.body.code;
  }

  /** The body, if the failure has this code. */
  as<C extends ErrorCode>(code: C): FailureBody<C> | null {
    return this.body.code === code ? (this.body as FailureBody<C>) : null;
  }

  get fields(): Readonly<Record<string, string[]>> {
    return (this.body as { errors?: Record<string, string[]> }).errors ?? {};
  }
}

/** The service could not be reached, or what answered was not the service. */
export class Unreached extends Error {}

const read = async (answer: Answered): Promise<{ status?: unknown }> => {
  try {
    return (await answer.json()) as { status?: unknown };
  } catch (error) {
    throw new Unreached('The answer is not JSON.', { cause: error });
  }
};

/** The success of a call; a failure is thrown. The type comes from the contract through hc. */
export const take = async <R extends Answered>(
  asked: Promise<R>,
): Promise<Extract<Body<R>, { status: 'success' }>> => {
  let answer: R;
  try {
    answer = await asked;
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Unreached('The service cannot be reached.', { cause: error });
  }
  const body = await read(answer);
  if (body.status === 'success') return body as Extract<Body<R>, { status: 'success' }>;
  if (body.status !== 'error') throw new Unreached('The answer is not the service’s.');
  const wait = Number(answer.headers.get('Retry-After') ?? Number.NaN);
  const failure = body as FailureBody;
  if (failure.code === 'second_factor_enrolment_required') mustEnrol.value = true;
  throw new Refused(failure, answer.status, Number.isFinite(wait) ? wait : null);
};
