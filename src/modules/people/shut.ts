import { runAll } from '../../core/db/db.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { storeOnly } from '../../core/idempotency/queries.ts';
import { eventRow, toAuthor } from '../auth/audit/queries.ts';
import type { AuthenticatedContext } from '../auth/context.ts';
import { endFeeds } from '../auth/feed-queries.ts';
import { endDeviceLogin, type findDeviceLogin } from '../auth/login/queries.ts';
import { personView } from './actions.ts';
import {
  countOtherAdmins,
  endAllLogins,
  endLogins,
  findPerson,
  type PersonRow,
  recordDeactivation,
  recordEndOfDevices,
  recordReactivation,
  setDeactivated,
} from './queries.ts';

const buildEvent = (
  context: AuthenticatedContext,
  type: 'account_deactivated' | 'account_reactivated' | 'device_ended' | 'devices_ended',
  userId: string,
) => eventRow({ writeId: context.deps.newId(), type, userId, ...toAuthor(context) });

const shut = (person: PersonRow, deactivatedAt: number | null) => ({
  status: 200 as const,
  data: personView({ ...person, deactivatedAt }),
});

/** Deactivates an account and ends its logins in one step. Throws `last_admin`. */
export const deactivate = async (context: AuthenticatedContext, person: PersonRow) => {
  const { deps, now, toStoredResponse } = context;
  const { db } = deps;
  const { id, role } = person;
  const event = buildEvent(context, 'account_deactivated', id);
  const { writeId } = event;
  const {
    after: [after],
    admins: [admins],
  } = await runAll(db, {
    event: recordDeactivation(db, event),
    account: setDeactivated(db, { id, deactivatedAt: now, writeId }),
    logins: endLogins(db, { id, now, writeId, reason: 'deactivated' }),
    feeds: endFeeds(db, { id, writeId }),
    after: findPerson(db, { id }),
    admins: countOtherAdmins(db, { id }),
    response: storeOnly(db, { ...toAuthor(context), writeId }, toStoredResponse(shut(person, now))),
  });
  if (after === undefined) throw new Failure('not_found');
  if (after.deactivatedAt === null && role === 'admin' && admins?.count === 0)
    throw new Failure('last_admin');
  return shut(after, after.deactivatedAt);
};

/** Reactivates the account, with its earlier password and factor. */
export const reactivate = async (context: AuthenticatedContext, person: PersonRow) => {
  const { db } = context.deps;
  const { id } = person;
  const event = buildEvent(context, 'account_reactivated', id);
  const {
    after: [after],
  } = await runAll(db, {
    event: recordReactivation(db, event),
    account: setDeactivated(db, { id, deactivatedAt: null, writeId: event.writeId }),
    after: findPerson(db, { id }),
    response: storeOnly(
      db,
      { ...toAuthor(context), writeId: event.writeId },
      context.toStoredResponse(shut(person, null)),
    ),
  });
  if (after === undefined) throw new Failure('not_found');
  return shut(after, after.deactivatedAt);
};

/** Logs a person out everywhere, ends the calendar addresses, and returns the number of devices. */
export const endDevices = async (context: AuthenticatedContext, { id }: PersonRow): Promise<number> => {
  const { deps, now } = context;
  const event = buildEvent(context, 'devices_ended', id);
  const { ended } = await runAll(deps.db, {
    recorded: recordEndOfDevices(deps.db, event),
    ended: endAllLogins(deps.db, { id, now }),
    feeds: endFeeds(deps.db, { id, writeId: event.writeId }),
  });
  return ended.length;
};

type DeviceLogin = ReturnType<typeof findDeviceLogin>['_']['result'][number];

/** Logs a person out on one device, if it is one of theirs and logged in; else it is not found. */
export const endDevice = async (
  context: AuthenticatedContext,
  { id }: PersonRow,
  device: DeviceLogin | undefined,
): Promise<void> => {
  const { deps, now } = context;
  const isLive = device !== undefined && device.revokedAt === null && device.expiresAt > now;
  if (!isLive || device.userId !== id) throw new Failure('not_found');
  const event = { ...buildEvent(context, 'device_ended', id), deviceLoginId: device.id };
  await runAll(deps.db, endDeviceLogin(deps.db, event, 'ended'));
};
