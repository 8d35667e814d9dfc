import * as z from 'zod/mini';
import { formatLocalTime } from '../../core/clinic/local-time.ts';
import { read, run } from '../../core/db/db.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import type { FieldRule } from '../../core/endpoint/field-sentences.ts';
import { freeText } from '../../core/endpoint/fields.ts';
import { once } from '../../core/endpoint/once.ts';
import type { AnyContext } from '../auth/context.ts';
import { assertVersion, changeBooking, type VerbInPlace } from '../booking/changes/change.ts';
import { bookingReads, createBooking } from '../booking/changes/create.ts';
import { movingReads, rescheduleBooking } from '../booking/changes/reschedule.ts';
import type { SeenBooking } from '../booking/record/queries.ts';
import { calendarIn, slotsOfDay } from '../catalog/slots/rules.ts';
import { readsOfDates } from '../catalog/slots/slots.ts';
import { baseUrl } from './base.ts';
import { patientIdsByIdentifiers } from './find-patients.ts';
import { practiceName } from './practice.ts';
import { findAppointment } from './queries.ts';
import { clinicId, slotId, slotIdParts, toAppointment } from './resources.ts';
import { idIn } from './search.ts';
import { type GivenResource, type Resource, type TypeName, valuesAt } from './types.ts';

const refuse = (path: string, rule: 'required' | 'invalid' | 'not_found' | 'wrong_type'): Failure =>
  new Failure('validation_failed', {
    issues: [{ path: `Appointment.${path}`, rule: rule satisfies FieldRule }],
  });

const refuseHeader = (path: string): Failure =>
  new Failure('invalid_header', { issues: [{ path, rule: 'invalid' }] });

/** The Appointment as it is now; a booking that was deleted meanwhile is `not_found`. */
export const readAppointment = async ({ deps }: Pick<AnyContext, 'deps'>, id: string): Promise<Resource> => {
  const [row] = await run(deps.db, findAppointment(deps.db, { id }));
  if (row === undefined) throw new Failure('not_found');
  return toAppointment(baseUrl(deps), row);
};

/** Stores the id of the booking alone: a repeated request is answered with the Appointment as it then is. */
const storingId = (context: AnyContext, status: number): AnyContext => ({
  ...context,
  toStoredResponse: ({ data }) =>
    context.toStoredResponse({ status, data: { id: (data as { id?: string } | undefined)?.id } }),
});

/** The content of an Appointment in a request, as far as a booking has it. */
interface Wish {
  status: string;
  patientId?: string;
  doctorId?: string;
  sessionId?: string;
  start?: number;
  end?: number;
  slot?: NonNullable<ReturnType<typeof slotIdParts>>;
  comment: string;
}

const instantForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const instantAt = (body: GivenResource, name: 'start' | 'end'): number | undefined => {
  const text = body[name];
  if (text === undefined) return;
  const instant = typeof text === 'string' && instantForm.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(instant)) throw refuse(name, 'invalid');
  return instant;
};

const textAt = (value: unknown, path: string, length: number): string => {
  const read = z.safeParse(z.optional(freeText(length)), value);
  if (!read.success)
    throw new Failure('validation_failed', {
      issues: [
        typeof value === 'string'
          ? { path: `Appointment.${path}`, rule: 'too_long', limit: length }
          : { path: `Appointment.${path}`, rule: 'wrong_type' },
      ],
    });
  return read.data ?? '';
};

const actorKeys = {
  Patient: 'patientId',
  Practitioner: 'doctorId',
  PractitionerRole: 'doctorId',
  HealthcareService: 'sessionId',
} as const;

/** The actors that a booking has, by their references; a patient may be named by an identifier instead. */
const readActors = async (context: AnyContext, body: GivenResource): Promise<Partial<Wish>> => {
  const base = baseUrl(context.deps);
  const wish: Partial<Wish> = {};
  const { participant = [] } = body;
  if (!Array.isArray(participant)) throw refuse('participant', 'wrong_type');
  for (const [at, one] of participant.entries()) {
    const path = `participant[${at}].actor`;
    const { reference, identifier } = one?.actor ?? {};
    if (typeof reference !== 'string') {
      if (typeof identifier?.value !== 'string') throw refuse(path, 'required');
      const token =
        identifier.system === undefined ? identifier.value : `${identifier.system}|${identifier.value}`;
      const [patientId, ...others] = await patientIdsByIdentifiers(context, [token]);
      if (patientId === undefined || others.length > 0) throw refuse(path, 'not_found');
      wish.patientId = patientId;
      continue;
    }
    const type = /(\w+)\/[^/]+$/.exec(reference)?.[1] as TypeName | undefined;
    const id = type && idIn(reference, type, base);
    if (type === 'Location' && id === clinicId) continue;
    const key = actorKeys[type as keyof typeof actorKeys];
    if (id === undefined || key === undefined) throw refuse(path, 'not_found');
    if (wish[key] !== undefined && wish[key] !== id) throw refuse(path, 'invalid');
    wish[key] = id;
  }
  return wish;
};

const sessionForm = once(() => z.guid());

const readWish = async (context: AnyContext, body: GivenResource): Promise<Wish> => {
  if (typeof body.status !== 'string') throw refuse('status', 'required');
  // They may change what all other elements mean.
  for (const name of ['implicitRules', 'modifierExtension'])
    if (body[name] !== undefined) throw refuse(name, 'invalid');
  const wish: Wish = {
    status: body.status === 'arrived' ? 'checked-in' : body.status,
    comment: textAt(body.comment, 'comment', 1_000),
    ...(await readActors(context, body)),
  };
  const [start, end] = [instantAt(body, 'start'), instantAt(body, 'end')];
  if (start !== undefined) wish.start = start;
  if (end !== undefined) wish.end = end;
  const [slot, ...others] = valuesAt(body, 'slot.reference');
  if (slot !== undefined) {
    const parts = slotIdParts(idIn(String(slot), 'Slot', baseUrl(context.deps)) ?? '');
    if (parts === undefined || others.length > 0) throw refuse('slot', 'not_found');
    wish.slot = parts;
  }
  const code = valuesAt(body, 'serviceType.coding.code').find((one) => sessionForm().safeParse(one).success);
  wish.sessionId ??= code as string;
  return wish;
};

/** A slot by a wish, with the names by which `/v1` calls it; throws what stands against it. */
const findPlace = async ({ deps }: AnyContext, wish: Wish) => {
  const { slot, doctorId = slot?.doctorId } = wish;
  if (doctorId === undefined) throw refuse('participant', 'required');
  if (slot !== undefined && slot.doctorId !== doctorId) throw refuse('slot', 'invalid');
  if (wish.start === undefined && slot === undefined) throw refuse('start', 'required');
  const { clinicTime } = deps;
  const startsAt = wish.start ?? clinicTime.instantOf(slot?.date ?? '', slot?.minuteOfDay ?? 0) ?? 0;
  if (Math.abs(startsAt) > Date.UTC(9999, 0, 1)) throw refuse('start', 'invalid');
  const date = clinicTime.dateOf(startsAt);
  const calendar = calendarIn(await read(deps.db, readsOfDates(deps, doctorId, date, date)), clinicTime.zone);
  if (typeof calendar === 'string') throw new Failure(calendar);
  const { schedules } = calendar;
  const found = slotsOfDay(schedules, date, clinicTime).find(
    (one) => one.startsAt === startsAt && (wish.sessionId ?? one.sessionId) === one.sessionId,
  );
  if (found === undefined) {
    const isOffered = schedules.some(({ sessionId }) => (wish.sessionId ?? sessionId) === sessionId);
    if (!isOffered) throw new Failure('session_not_offered');
    throw new Failure('slot_unavailable', { extras: { reason: 'not_offered' } });
  }
  if (slot !== undefined && (slot.date !== date || slot.minuteOfDay !== found.minuteOfDay))
    throw refuse('start', 'invalid');
  if (wish.end !== undefined && wish.end !== found.endsAt) throw refuse('end', 'invalid');
  return {
    doctor_id: doctorId,
    session_id: found.sessionId,
    schedule_date: date,
    schedule_time: formatLocalTime(found.minuteOfDay),
  };
};

const newStatuses = ['proposed', 'pending', 'booked'];

/** Books what an Appointment asks for, as `POST /v1/bookings` does. */
export const makeAppointment = async (
  context: AnyContext,
  body: GivenResource,
  status: 200 | 201,
): Promise<Resource> => {
  const { deps, now, actor } = context;
  // A client that relies on it would book twice.
  if (context.header('if-none-exist') !== undefined) throw refuseHeader('If-None-Exist');
  const wish = await readWish(context, body);
  if (!newStatuses.includes(wish.status)) throw refuse('status', 'invalid');
  const place = await findPlace(context, wish);
  const patient_id = wish.patientId === actor.userId && actor.role === 'patient' ? undefined : wish.patientId;
  const input = { ...place, notes: wish.comment, patient_id, channel: 'fhir' as const };
  const first = await read(deps.db, bookingReads(deps, now, actor.userId, input));
  const { id } = await createBooking(storingId(context, status), input, first);
  return readAppointment(context, id);
};

/** The version that If-Match names, if it came and is not `*`. */
const versionIn = (header: (name: string) => string | undefined): number | undefined => {
  const given = header('if-match')?.trim();
  if (given === undefined || given === '*') return;
  const [, version] = /^(?:W\/)?"(\d{1,9})"$/.exec(given) ?? [];
  if (version === undefined) throw refuseHeader('If-Match');
  return Number(version);
};

/** The verb that leads to a status. */
const verbs: Readonly<Record<string, VerbInPlace>> = {
  booked: 'approve',
  cancelled: 'cancel',
  'checked-in': 'check-in',
  fulfilled: 'complete',
  noshow: 'no-show',
};

/** Elements that follow from the slot: they may differ if the slot differs. */
const ofSlot = ['end', 'minutesDuration', 'requestedPeriod', 'serviceType', practiceName];

/** Elements that do not concern the booking, or are compared separately. */
const judgedElsewhere = new Set([
  'resourceType',
  'id',
  'meta',
  'text',
  'language',
  'status',
  'start',
  'slot',
  'participant',
]);

/** JSON in one order, without what is undefined. */
const ordered = (value: unknown): string =>
  JSON.stringify(value, (_key, one) =>
    one !== null && typeof one === 'object' && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );

/** Throws for an element that cannot be changed here; `mayDiffer` are those that follow from what is changed. */
const assertSame = (body: GivenResource, current: Resource, mayDiffer: readonly string[]): void => {
  for (const [name, value] of Object.entries(body)) {
    if (judgedElsewhere.has(name) || mayDiffer.includes(name)) continue;
    if (ordered(value) !== ordered(current[name])) throw refuse(name, 'invalid');
  }
};

const isComing = (status: unknown): boolean => status === 'pending' || status === 'booked';

/** The slot to which an Appointment moves, if it moves: unchanged elements follow the changed ones. */
const wishedMove = (wish: Wish, booking: SeenBooking, present: string): Wish | null => {
  const { slot, start, doctorId = booking.doctorId, sessionId = booking.sessionId } = wish;
  const isOtherSlot = slot !== undefined && slotId(slot.doctorId, slot.date, slot.minuteOfDay) !== present;
  const isOtherStart = start !== undefined && start !== booking.startsAt;
  const isOtherPlace = doctorId !== booking.doctorId || sessionId !== booking.sessionId;
  if (!isOtherSlot && !isOtherStart && !isOtherPlace) return null;
  const { slot: _slot, start: _start, end, ...rest } = wish;
  const ofOther = isOtherSlot && doctorId === booking.doctorId ? slot.doctorId : doctorId;
  // A slot has its session, unless the request names another than the booking's.
  const isSessionNamed = sessionId !== booking.sessionId || !(isOtherSlot || ofOther !== booking.doctorId);
  const { sessionId: _session, ...whole } = rest;
  return {
    ...whole,
    doctorId: ofOther,
    ...(isSessionNamed && { sessionId }),
    ...(isOtherSlot && { slot }),
    ...((isOtherStart || !isOtherSlot) && { start: start ?? booking.startsAt }),
    ...(end !== undefined && end !== booking.endsAt && { end }),
  };
};

const move = async (context: AnyContext, booking: SeenBooking, wish: Wish, version: number | undefined) => {
  const { deps } = context;
  const input = { ...(await findPlace(context, wish)), version };
  const rows = await read(deps.db, movingReads(deps, booking.id, input));
  await rescheduleBooking(storingId(context, 200), input, booking, rows);
};

/** Does what the difference between an Appointment and the booking asks for: one verb, or nothing. */
export const changeAppointment = async (
  context: AnyContext,
  body: GivenResource,
  booking: SeenBooking,
): Promise<Resource> => {
  // First: what an older version differs in is the work of somebody else, and no wish of this caller.
  const version = versionIn(context.header);
  assertVersion(booking, { version });
  const current = await readAppointment(context, booking.id);
  if (body.id !== undefined && body.id !== booking.id) throw refuse('id', 'invalid');
  const wish = await readWish(context, body);
  if (wish.patientId !== undefined && wish.patientId !== booking.patientId)
    throw refuse('participant', 'invalid');
  const [present = ''] = valuesAt(current, 'slot.reference');
  const moved = wishedMove(wish, booking, String(present).replace('Slot/', ''));
  const isCanceled = wish.status === 'cancelled' && current.status !== 'cancelled';
  assertSame(body, current, [...(moved ? ofSlot : []), ...(isCanceled ? ['cancelationReason'] : [])]);
  const isSame =
    wish.status === current.status || (moved && isComing(wish.status) && isComing(current.status));
  if (isSame) {
    if (moved === null) return current;
    await move(context, booking, moved, version);
    return readAppointment(context, booking.id);
  }
  const verb = verbs[wish.status];
  const isUndone = wish.status === 'booked' && current.status !== 'pending';
  if (verb === undefined || isUndone) throw refuse('status', 'invalid');
  if (moved !== null) throw refuse('start', 'invalid');
  const said = (body.cancelationReason as { text?: unknown } | undefined)?.text;
  const reason = textAt(said, 'cancelationReason.text', 500) || undefined;
  await changeBooking(storingId(context, 200), verb, { version, reason }, booking, {
    view: ({ id }) => ({ id }),
  });
  return readAppointment(context, booking.id);
};
