import { dayMs } from '../../../core/clinic/durations.ts';
import type { Statement } from '../../../core/db/db.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { knownName } from '../throttle/throttled.ts';
import { mailNewDevice } from './queries.ts';

/**
 * The statement that queues a mail about a login on a new device, for the login's batch: after the login, and before
 * the network is remembered. None if no mail can be sent, or the account knows the device. The minute's job sends it.
 */
export const newDeviceMail = async (
  { deps, now, language }: RequestContext,
  user: { id: string; email: string | null },
  loginId: string,
  { network, device }: { network: string; device: string | null },
): Promise<Statement[]> => {
  if (user.email === null || device !== null || deps.mailer.reachesPeople !== true) return [];
  const mail = { mailId: deps.newId(), kind: 'new_device', userId: user.id, language, now };
  const account = await knownName(deps, user.email);
  return [mailNewDevice(deps.db, { ...mail, expiresAt: now + dayMs, loginId, account, network })];
};
