import * as z from 'zod/mini';
import { run, runAll } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import type { BodyOf, QueryOf } from '../../core/endpoint/endpoint.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { once } from '../../core/endpoint/once.ts';
import { refusedToken } from '../../core/endpoint/refused-token.ts';
import { buildPage, pageStart } from '../../core/http/page.ts';
import { noticeKinds } from '../../core/tables/words.ts';
import { recordIfChanged } from '../auth/audit/queries.ts';
import { fieldsIn } from '../auth/audit/rules.ts';
import type { AuthenticatedContext } from '../auth/context.ts';
import { type ChooseNotices, ListNotices } from './contract.ts';
import { choose, pages } from './queries.ts';
import { choicesView, type NoticeRow, noticeView } from './views.ts';

const toFlag = (wanted: boolean | undefined) => (wanted === undefined ? null : Number(wanted));

/** Changes the given choices. The unwanted kinds are stored, so that a kind added later is sent by default. */
export const chooseNotices = async ({
  deps,
  actor,
  now,
  requestId,
  body,
}: AuthenticatedContext & { body: BodyOf<typeof ChooseNotices> }) => {
  const { db } = deps;
  const { userId, deviceLoginId } = actor;
  const { email, message, kinds, language, desk } = body;
  if (desk === true && actor.role === 'patient') throw new Failure('forbidden');
  const stopped = kinds && JSON.stringify(noticeKinds.filter((kind) => !kinds.includes(kind)));
  const {
    row: [row],
  } = await runAll(db, {
    row: choose(db, {
      personId: userId,
      email: toFlag(email),
      message: toFlag(message),
      stoppedKinds: stopped ?? null,
      language: language ?? null,
      desk: toFlag(desk),
      now,
    }),
    recorded: recordIfChanged(db, {
      writeId: deps.newId(),
      type: 'profile_changed',
      userId,
      actorId: userId,
      deviceLoginId,
      requestId,
      now,
      detail: { notices: fieldsIn(body) },
    }),
  });
  if (row === undefined) throw refusedToken();
  return choicesView(deps, row);
};

/** Stops a person's e-mails; nothing for one that was deleted. */
export const stopMails = async ({ db }: Deps, personId: string, now: number): Promise<void> => {
  const unchanged = { message: null, stoppedKinds: null, language: null, desk: null };
  await run(db, choose(db, { personId, email: 0, ...unchanged, now }));
};

type Query = QueryOf<typeof ListNotices>;

const position = once(() => z.tuple([z.number(), z.string()]));

/** The read of one page of the log. */
export const noticesRead = ({ db }: Deps, query: Query) => {
  const { position: before, limit } = pageStart(query, position, [Number.MAX_SAFE_INTEGER, '']);
  const { booking_id, state = null, kind = null, channel = null } = query;
  const bookingId = booking_id ?? null;
  const values = { bookingId, state, kind, channel, beforeAt: before[0], beforeId: before[1], limit };
  return pages[bookingId === null ? 'age' : 'booking'](db, values);
};

/** A page of the log as the API answers it. */
export const noticesPage = (rows: readonly NoticeRow[], query: Query) => {
  const at = ({ createdAt, id }: NoticeRow) => [createdAt, id];
  const { shown, meta, headers } = buildPage(rows, ListNotices.path, { ...query }, at);
  return { data: shown.map(noticeView), meta, headers };
};
