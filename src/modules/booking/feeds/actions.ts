import { toBase64Url } from '../../../core/crypto/base64url.ts';
import { runAll } from '../../../core/db/db.ts';
import { catalogue, Failure } from '../../../core/endpoint/errors.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import { say } from '../../../core/endpoint/sentences.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { withETag } from '../../../core/http/etag.ts';
import type { Answer } from '../../../core/http/respond.ts';
import { assertNotRepeated, storeResponse } from '../../../core/idempotency/queries.ts';
import type { calendarFeeds } from '../../../core/tables/keys.ts';
import { eventRow, recordIfChanged, toAuthor } from '../../auth/audit/queries.ts';
import { readLines } from '../../auth/audit/reads.ts';
import type { AuthenticatedContext } from '../../auth/context.ts';
import { hashToken } from '../../auth/refresh-token.ts';
import { findClinic } from '../../catalog/slots/queries.ts';
import { calendarAnswer } from '../reading/calendar-file.ts';
import { findBooking } from '../record/queries.ts';
import { GetCalendarFeed } from './contract.ts';
import { linkedBooking } from './link.ts';
import {
  deleteFeed,
  findFamilyNames,
  findFeedBookings,
  findOpenFeed,
  insertFeed,
  maxFeeds,
  recordFeedMade,
} from './queries.ts';

export type Feed = typeof calendarFeeds.$inferSelect;

/** How many days a calendar contains, before and after today; a patient's, which is short, has a year ahead. */
const shownDays = 31;
const patientsDays = 366;
const maxEvents = 5_000;

/** No shared cache may store it, but the requesting program may. */
const notCached = { 'Cache-Control': 'no-store' };

export const feedView = (feed: Feed) => ({
  id: feed.id,
  details: feed.details === 1,
  created_at: toIso(feed.createdAt),
});

export const buildPath = (token: string): string => GetCalendarFeed.path.replace('{token}', token);

/** Makes a secret address; only this answer shows it. Throws `feeds_full`. */
export const makeFeed = async (context: AuthenticatedContext, details: boolean) => {
  const { deps, actor, now } = context;
  const { db } = deps;
  const { userId, role, doctorId } = actor;
  if (details && role !== 'patient') throw new Failure('forbidden');
  const token = toBase64Url(crypto.getRandomValues(new Uint8Array(24)));
  const id = deps.newId();
  const hash = await hashToken(deps.tokenKeys, token);
  const feed: Feed = { id, hash, userId, role, doctorId, details: details ? 1 : 0, createdAt: now };
  const writeId = deps.newId();
  const response = context.toStoredResponse({ status: 201 });
  const event = { writeId, type: 'calendar_feed_made', userId, ...toAuthor(context) } as const;
  const row = eventRow({ ...event, detail: { calendar_feed_id: id } });
  const { inserted } = await runAll(db, {
    recorded: recordFeedMade(db, { ...row, key: response?.idempotency.key ?? null }),
    inserted: insertFeed(db, { ...feed, writeId }),
    stored: storeResponse(db, { writeId, actorId: userId, now }, response),
  });
  if (inserted.length > 0) return { ...feedView(feed), path: buildPath(token) };
  await assertNotRepeated(db, { actorId: userId, now }, response);
  throw new Failure('feeds_full', { sentence: say(catalogue.feeds_full, { limit: maxFeeds }) });
};

/** Ends an address; to end it again changes nothing. */
export const endFeed = ({ deps, ...context }: AuthenticatedContext, { id, userId }: Feed) => {
  const event = { writeId: deps.newId(), userId, ...toAuthor(context) };
  const ended = { ...event, type: 'calendar_feed_ended', detail: { calendar_feed_id: id } } as const;
  return runAll(deps.db, [deleteFeed(deps.db, { id }), recordIfChanged(deps.db, ended)]);
};

const lines = readLines(GetCalendarFeed);

/**
 * The bookings of a calendar address: a patient's address has the family's, a doctor's the doctor's own, the desk's the
 * whole clinic's. If there are too many, past ones are left out.
 */
const readBookings = async ({ deps, now }: RequestContext, { userId, role, doctorId }: Feed) => {
  const { clinicTime, db } = deps;
  const today = clinicTime.dateOf(now);
  const limit = maxEvents;
  const last = clinicTime.addDays(today, role === 'patient' ? patientsDays : shownDays);
  const ahead = { fromDate: today, toDate: last, limit };
  const behind = {
    fromDate: clinicTime.addDays(today, -shownDays),
    toDate: clinicTime.addDays(today, -1),
    limit,
  };
  const both = (kind: 'account' | 'doctor', owner: string | null) => ({
    next: findFeedBookings.ahead[kind](db, { ...ahead, owner }),
    before: findFeedBookings.behind[kind](db, { ...behind, owner }),
  });
  const { next, before, family } = await runAll(db, {
    ...(role === 'patient'
      ? both('account', userId)
      : role === 'doctor'
        ? both('doctor', doctorId)
        : {
            next: findFeedBookings.ahead.clinic(db, ahead),
            before: findFeedBookings.behind.clinic(db, behind),
          }),
    family: findFamilyNames(db, { accountId: userId }),
  });
  return { family, rows: [...before.slice(0, limit - next.length).reverse(), ...next] };
};

/** A file with its ETag; a 304 names none. */
const tagged = async (
  header: RequestContext['header'],
  { headers, ...file }: ReturnType<typeof calendarAnswer>,
): Promise<Answer<200> | Answer<304>> => {
  const answer = await withETag<200>(header, file, notCached);
  return answer.status === 304 ? answer : { ...answer, headers: { ...headers, ...answer.headers } };
};

/** The calendar behind an address, or the file of the one booking that a link names. */
export const feedFile = async (request: RequestContext, token: string) => {
  const { deps, now, header, requestId, language } = request;
  const { db, tokenKeys } = deps;
  const link = await linkedBooking(tokenKeys, token, now);
  if (link !== null) {
    const {
      booking: [booking],
      family,
      clinic: [clinic],
    } = await runAll(db, {
      booking: findBooking(db, { id: link.id, accountId: '' }),
      family: findFamilyNames(db, { accountId: link.userId }),
      clinic: findClinic(db, {}),
    });
    if (booking === undefined) throw new Failure('not_found');
    const name = `janji-${booking.bookingCode}`;
    const shown = { language: link.language, details: true, clinic, family };
    return tagged(header, calendarAnswer([booking], name, shown));
  }
  const hash = await hashToken(tokenKeys, token);
  const {
    feed: [feed],
    clinic: [clinic],
  } = await runAll(db, {
    feed: findOpenFeed(db, { hash }),
    clinic: findClinic(db, {}),
  });
  if (feed === undefined) throw new Failure('not_found');
  const { role, userId } = feed;
  const { family, rows } = await readBookings(request, feed);
  if (role !== 'patient')
    await lines.list({ deps, now, requestId, actor: { userId, role, deviceLoginId: null } });
  const shown = { language, details: feed.details === 1, clinic, family, person: feed.personName };
  return tagged(header, calendarAnswer(rows, 'janji', shown));
};
