import { toBase64Url } from '../../../core/crypto/base64url.ts';
import { read, run, runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import { rateLimited } from '../../../core/endpoint/rate-limited.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { takesCodes } from '../../../core/takes-codes.ts';
import type { AnyActor } from '../../auth/context.ts';
import { alternativesTo } from '../seats/alternatives.ts';
import { freshCalendar, type LoadedCalendar, loadCalendar } from '../seats/calendar.ts';
import { type Decided, decideSlot } from '../seats/decision.ts';
import { withoutLapsed } from '../seats/guards.ts';
import { slotRefusal } from '../seats/refusal.ts';
import type { HoldSlot } from './contract.ts';
import { endLast, explainHold, findHold, insertHold, releaseHold } from './queries.ts';
import { holdMs, maxHeldByGuests, maxHeldOfDay, maxHeldOfNetwork } from './rules.ts';
import { hashSecret, namedHold } from './secret.ts';

type Input = BodyOf<typeof HoldSlot>;
type HoldRow = Awaited<ReturnType<typeof findHold>['_']['result']>[number];

/** Who asks: without a login they are known by nothing but the secret of their hold. */
export interface Holder extends RequestContext {
  actor: AnyActor | null;
}

/** Throws `not_found` unless the clinic holds slots. */
export const assertHolds = (deps: Deps): void => {
  if (!takesCodes(deps)) throw new Failure('not_found');
};

/** An account has one hold; a key of the clinic asks for many people, each of whom has a secret. */
const accountOf = ({ actor }: Holder): string | null =>
  actor === null || actor.role === 'api_key' ? null : actor.userId;

const holdView = (row: Omit<HoldRow, 'secretHash' | 'accountId' | 'network' | 'createdAt' | 'startsAt'>) => ({
  id: row.id,
  doctor_id: row.doctorId,
  session_id: row.sessionId,
  schedule_date: row.scheduleDate,
  schedule_time: row.scheduleTime,
  ends_at: toIso(row.endsAt),
  expires_at: toIso(row.expiresAt),
});

/** Nobody in particular: a guest is judged as a patient is. */
const guest = { userId: '', deviceLoginId: null, role: 'patient', doctorId: null } as const;

const toActing = ({ deps, now, requestId, actor }: Holder) => ({
  deps,
  now,
  requestId,
  actor: actor ?? guest,
  cancelLeadMinutes: 0,
  toStoredResponse: () => null,
});

type Acting = ReturnType<typeof toActing>;

/** Data read in the round trip of the login, or of the counters. */
export const holdReads = ({ deps, now }: Holder, input: Input) => loadCalendar(deps, now, input);

/** Decides with the cached calendar; if it has no such slot, reads it again and decides again. */
const decide = async (acting: Acting, place: Input, { rows, isStale }: LoadedCalendar): Promise<Decided> => {
  const verdict = decideSlot(acting, { party: 'patient', place, passesLimits: true }, rows);
  if (!('refused' in verdict)) return verdict;
  if (!isStale) throw slotRefusal(acting, verdict);
  const { deps, now } = acting;
  return decide(acting, place, await read(deps.db, freshCalendar(deps, now, place)));
};

const slotFull = async (
  { deps, now, actor }: Acting,
  id: string,
  { calendar, slot, rules }: Decided,
): Promise<Failure> => {
  const wanted = {
    ...{ id, patientId: actor.userId, doctorId: calendar.doctor.id, sessionId: slot.sessionId },
    ...{ scheduleDate: slot.date, startsAt: slot.startsAt, minDaysBetween: null, passesLimits: true },
  };
  return new Failure('slot_full', {
    extras: { alternatives: await alternativesTo(deps, now, wanted, actor, rules) },
  });
};

/**
 * Holds a slot: decides on the calendar as for a booking, and one guarded step takes a seat of it and ends the last hold
 * of the account or the secret. Decides again if the calendar changed meanwhile.
 */
export const holdSlot = async (
  context: Holder,
  place: Input,
  network: string,
  first: LoadedCalendar,
): Promise<ReturnType<typeof holdView> & { secret: string }> => {
  const { deps, now } = context;
  const { db, config } = deps;
  const acting = toActing(context);
  const secret = toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
  const [secretHash, last] = await Promise.all([hashSecret(context, secret), namedHold(context)]);
  const id = deps.newId();
  const actorId = accountOf(context);
  const isCounted = context.actor === null && config.RATE_LIMIT === 'on';
  let calendar = first;
  return decideAgain(async () => {
    const decided = await decide(acting, place, calendar);
    const { slot, calendar: own } = decided;
    // Who has no hold yet is refused without a write, as a booking is.
    const hasNone = last === null && actorId === null;
    if (decided.full && hasNone && !calendar.isStale) throw await slotFull(acting, id, decided);
    const row = {
      ...{ id, secretHash, hold: last, actorId, now, expiresAt: now + holdMs },
      ...{ network: isCounted ? network : null, maxHeld: isCounted ? maxHeldOfNetwork : 0 },
      maxHeldByGuests: isCounted ? maxHeldByGuests : 0,
      maxHeldOfDay: isCounted ? maxHeldOfDay : 0,
      ...{ doctorId: own.doctor.id, sessionId: slot.sessionId },
      ...{ scheduleDate: slot.date, scheduleTime: place.schedule_time },
      ...{ startsAt: slot.startsAt, endsAt: slot.endsAt, capacity: slot.capacity, beyond: 0 },
      ...{ doctorVersion: own.doctorVersion, clinicVersion: own.clinicVersion },
    };
    const over = { writeId: deps.newId(), doctorId: row.doctorId, patientId: '' };
    const {
      why: [why],
    } = await runAll(db, {
      before: calendar.mayHoldLapsed ? withoutLapsed(acting, over) : [],
      inserted: insertHold(db, row),
      ended: endLast(db, { id, hold: last, actorId }),
      why: explainHold(db, row),
    });
    if (why?.written) return { ...holdView(row), secret };
    if (why !== undefined && why.firstExpiry !== null)
      throw rateLimited(Math.max(1, Math.ceil((why.firstExpiry - now) / 1000)), {});
    if (why?.current && !why.free) throw await slotFull(acting, id, decided);
    calendar = await read(db, freshCalendar(deps, now, place));
    return overtaken;
  });
};

const isOfClinic = ({ actor }: Holder): boolean =>
  actor !== null && actor.role !== 'patient' && actor.role !== 'doctor';

/** By whom a hold is named: its secret, the login that it was made with, or the clinic. */
const toNamed = async (context: Holder & { params: { id: string } }) => ({
  id: context.params.id,
  secretHash: await namedHold(context),
  accountId: accountOf(context),
  anybodys: isOfClinic(context) ? 1 : 0,
  now: context.now,
});

export const showHold = async (context: Holder & { params: { id: string } }) => {
  const { db } = context.deps;
  const [row] = await run(db, findHold(db, await toNamed(context)));
  if (row === undefined) throw new Failure('not_found');
  return holdView(row);
};

export const endHold = async (context: Holder & { params: { id: string } }): Promise<void> => {
  const { db } = context.deps;
  const gone = await run(db, releaseHold(db, await toNamed(context)));
  if (gone.length === 0) throw new Failure('not_found');
};
