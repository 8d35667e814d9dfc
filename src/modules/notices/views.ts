import type { Deps } from '../../core/deps.ts';
import { toIso } from '../../core/endpoint/instants.ts';
import { noticeKinds } from '../../core/tables/words.ts';
import { listChannels } from './plan.ts';
import type { findChoices, pages } from './queries.ts';
import { kindsIn } from './rules.ts';

type ChoicesRow = ReturnType<typeof findChoices>['_']['result'][number];

/** A person's choices as the API answers them; the default is every notice, in Indonesian. */
export const choicesView = (deps: Deps, row: ChoicesRow | undefined) => {
  const stopped = kindsIn(row?.stoppedKinds ?? null);
  return {
    email: row?.email ?? true,
    message: row?.message ?? true,
    kinds: noticeKinds.filter((kind) => !stopped.includes(kind)),
    language: row?.language ?? 'id',
    desk: row?.desk ?? false,
    channels: listChannels(deps),
  };
};

export type NoticeRow = ReturnType<typeof pages.age>['_']['result'][number];

/** A notice as it is answered: ids, times and states. */
export const noticeView = ({
  id,
  bookingId,
  kind,
  channel,
  personId,
  state,
  reason,
  attempts,
  ...row
}: NoticeRow) => ({
  id,
  booking_id: bookingId,
  kind,
  channel,
  person_id: personId,
  state,
  reason,
  attempts,
  created_at: toIso(row.createdAt),
  settled_at: row.settledAt === null ? null : toIso(row.settledAt),
});
