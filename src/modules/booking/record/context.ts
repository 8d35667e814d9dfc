import type { AnyContext } from '../../auth/context.ts';
import type { ActingRole } from './rules.ts';

/** The actor of a change of a booking: a person with a device login, a key of the clinic, or the scheduled job. */
export interface Doer {
  userId: string | null;
  deviceLoginId: string | null;
  role: ActingRole;
  doctorId: string | null;
}

/** The facts that decide what may be done to a booking now. */
export type JudgingContext = Pick<AnyContext, 'deps' | 'now' | 'cancelLeadMinutes'>;

/** The parts of the request, or of the scheduled job, that a change of a booking needs. */
export interface ActingContext<A extends Doer = Doer>
  extends Pick<AnyContext, 'deps' | 'now' | 'cancelLeadMinutes' | 'requestId' | 'toStoredResponse'> {
  actor: A;
}
