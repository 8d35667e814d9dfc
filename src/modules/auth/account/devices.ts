import * as z from 'zod/mini';
import { runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { QueryOf } from '../../../core/endpoint/endpoint.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import { once } from '../../../core/endpoint/once.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { pageStart } from '../../../core/http/page.ts';
import { ownEvent } from '../audit/own-event.ts';
import { eventRow } from '../audit/queries.ts';
import type { Actor } from '../context.ts';
import { endFeeds } from '../feed-queries.ts';
import { endDeviceLogin } from '../login/queries.ts';
import type * as contract from './contract.ts';
import { endOtherLogins, findDevices, recordEndOfOthers } from './queries.ts';
import { deviceWords } from './rules.ts';

const devicePosition = once(() => z.tuple([z.number(), z.string()]));

/** Reads one page of a person's devices, plus one row to see whether another page follows. */
export const devicesRead = (
  deps: Deps,
  userId: string,
  query: QueryOf<typeof contract.ListDevices>,
  now: number,
) => {
  const { position, limit } = pageStart(query, devicePosition, [Number.MAX_SAFE_INTEGER, '']);
  const [beforeCreated, beforeId] = position;
  return findDevices(deps.db, { userId, now, beforeCreated, beforeId, limit });
};

type DeviceRow = ReturnType<typeof findDevices>['_']['result'][number];

/** A device login as the API shows it to its owner. */
export const deviceView = (row: DeviceRow, currentId: string) => ({
  id: row.id,
  device_id: row.deviceId,
  user_agent: deviceWords(row.userAgent),
  created_at: toIso(row.createdAt),
  last_seen_at: toIso(row.lastSeenAt),
  current: row.id === currentId,
});

/** Logs one of the person's devices out. */
export const endDevice = (context: RequestContext, actor: Actor, id: string) => {
  const event = { ...ownEvent(context, actor), type: 'device_ended' as const, deviceLoginId: id };
  return runAll(context.deps.db, endDeviceLogin(context.deps.db, eventRow(event), 'ended'));
};

/** Logs the person's other devices out, ends the calendar addresses, and returns the number of devices. */
export const endOtherDevices = async (context: RequestContext, actor: Actor): Promise<number> => {
  const { deps, now } = context;
  const { userId, deviceLoginId } = actor;
  const event = { ...ownEvent(context, actor), type: 'devices_ended' as const };
  const { ended } = await runAll(deps.db, {
    recorded: recordEndOfOthers(deps.db, eventRow(event)),
    ended: endOtherLogins(deps.db, { userId, exceptLoginId: deviceLoginId, now }),
    feeds: endFeeds(deps.db, { id: userId, writeId: event.writeId }),
  });
  return ended.length;
};
