import type { AnyContext } from '../../auth/context.ts';
import type { ActingRole } from './rules.ts';

/** Whoever changes a booking: a person with a device login, a key of the clinic, or the scheduled job. */
export interface Doer {
  userId: string | null;
  deviceLoginId: string | null;
  role: ActingRole;
  doctorId: string | null;
}

/** What decides what may be done to a booking now. */
export type JudgingContext = Pick<AnyContext, 'deps' | 'now' | 'cancelLeadMinutes'>;

/** What a change of a booking needs to know of the request, or of the scheduled job that makes it. */
export interface ActingContext<A extends Doer = Doer>
  extends Pick<AnyContext, 'deps' | 'now' | 'cancelLeadMinutes' | 'requestId' | 'toStoredResponse'> {
  actor: A;
}
