import type { AuthenticatedContext } from '../../auth/context.ts';
import type { ActingRole } from './rules.ts';

/** Whoever changes a booking: a person with a device login, or the scheduled job, which has none. */
export interface Doer {
  userId: string | null;
  deviceLoginId: string | null;
  role: ActingRole;
  doctorId: string | null;
}

/** What a change of a booking needs to know of the request, or of the scheduled job that makes it. */
export interface ActingContext<A extends Doer = Doer>
  extends Pick<AuthenticatedContext, 'deps' | 'now' | 'requestId' | 'storedResponseOf'> {
  actor: A;
}
