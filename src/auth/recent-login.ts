import { Failure } from '../endpoint/errors.ts';
import type { LiveLogin } from './context.ts';
import { recentLoginMs } from './rules.ts';

/** Throws unless the device logged in, or its holder confirmed who they are, in the last 10 minutes. */
export const assertRecent = ({ provedAt }: Pick<LiveLogin, 'provedAt'>, now: number): void => {
  if (now - provedAt > recentLoginMs) throw new Failure('reauthentication_required');
};
