import { Failure } from '../../core/endpoint/errors.ts';
import type { LiveLogin } from './context.ts';
import { recentLoginMs } from './rules.ts';

/**
 * Throws unless the device logged in, or its holder confirmed who they are, in the last 10 minutes. A key of the clinic
 * has no login, and never did.
 */
export const assertRecent = (login: Pick<LiveLogin, 'provedAt'> | null, now: number): void => {
  if (login === null || now - login.provedAt > recentLoginMs) throw new Failure('reauthentication_required');
};
