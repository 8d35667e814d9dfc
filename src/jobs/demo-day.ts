import { dayMs, minuteMs } from '../core/clinic/durations.ts';
import { formatLocalTime } from '../core/clinic/local-time.ts';
import { resolveRule } from '../core/clinic/rules.ts';
import { read, run, runAll } from '../core/db/db.ts';
import type { Deps } from '../core/deps.ts';
import { Failure } from '../core/endpoint/errors.ts';
import { RequestRepeated } from '../core/idempotency/key.ts';
import { findReplay } from '../core/idempotency/queries.ts';
import { replays } from '../core/tables/idempotency.ts';
import type { Actor } from '../modules/auth/context.ts';
import { insertDeviceLogin } from '../modules/auth/login/queries.ts';
import { changeBooking, type VerbInPlace } from '../modules/booking/changes/change.ts';
import { bookingReads, createBooking } from '../modules/booking/changes/create.ts';
import { findBooking } from '../modules/booking/record/queries.ts';
import { findClinic } from '../modules/catalog/slots/queries.ts';
import { calendarIn, type Slot, slotsOfDay } from '../modules/catalog/slots/rules.ts';
import { readsOfDates } from '../modules/catalog/slots/slots.ts';
import { demoIds, demoPeople } from '../modules/demo/demo.ts';

// Keeps a realistic day in the demo clinic at any time. Its bookings are made and changed by the guarded functions,
// with plausible times.

type State = 'completed' | 'no-show' | 'called' | 'checked-in' | 'approved' | 'waiting' | 'canceled';

/** A doctor's slots around now, the earliest first: a screenful. */
const screenful: readonly State[] = [
  'completed',
  'no-show',
  'completed',
  'called',
  'checked-in',
  'approved',
  'waiting',
  'canceled',
  'waiting',
];
/** Where now is among them. */
const present = 3;

/** The state that a slot can be in at this time. */
const possible = (state: State, { startsAt, endsAt }: Slot, now: number): State => {
  if (state === 'no-show' && now < startsAt + 15 * minuteMs) return 'approved';
  if (now < endsAt || state === 'canceled' || state === 'no-show') return state;
  return 'completed';
};

/** The verbs for a booking: one that the clinic made is approved from the beginning. */
const stepsTo: Readonly<Record<State, readonly VerbInPlace[]>> = {
  waiting: [],
  canceled: ['cancel'],
  approved: [],
  'no-show': ['no-show'],
  'checked-in': ['check-in'],
  called: ['check-in', 'call'],
  completed: ['check-in', 'call', 'complete'],
};

/** When a step would have been made, never after now. */
const timeOfStep = (verb: VerbInPlace, { startsAt }: Slot, made: number, now: number): number => {
  const after = { 'check-in': -10, call: 0, complete: 20, 'no-show': 15 }[verb as string];
  const at = after === undefined ? made + minuteMs : Math.max(made + minuteMs, startsAt + after * minuteMs);
  return Math.min(at, now);
};

interface Actors {
  staff: Actor;
  patient: Actor;
}

/** Logins that no token belongs to, for as long as this takes. */
const logIn = async ({ db, newId }: Deps, now: number): Promise<Actors> => {
  const buildLogin = (userId: string) => ({
    id: newId(),
    userId,
    deviceId: '',
    userAgent: 'demo',
    createdAt: now,
    lastSeenAt: now,
    expiresAt: now + 5 * minuteMs,
  });
  const [staff, patient] = [buildLogin(demoPeople.staff), buildLogin(demoPeople.patient)];
  const buildToken = ({ id, expiresAt }: typeof staff) => ({
    hash: newId(),
    deviceLoginId: id,
    generation: 0,
    issuedAt: now,
    expiresAt,
  });
  await runAll(db, [
    ...insertDeviceLogin(db, staff, buildToken(staff)),
    ...insertDeviceLogin(db, patient, buildToken(patient)),
  ]);
  return {
    staff: { userId: staff.userId, deviceLoginId: staff.id, role: 'staff', doctorId: null },
    patient: { userId: patient.userId, deviceLoginId: patient.id, role: 'patient', doctorId: null },
  };
};

const keyOf = (date: string, doctor: number, nth: number): string => `demo ${date} ${doctor} ${nth}`;

/** One booking of the day and the steps to its state; if a step is refused it stays as it is. */
const addBooking = async (
  deps: Deps,
  actors: Actors,
  slot: Slot,
  {
    doctorId,
    key,
    state,
    patientId,
    now,
  }: Record<'doctorId' | 'key' | 'patientId', string> & {
    state: State;
    now: number;
  },
): Promise<void> => {
  // Before anybody came, and never ahead of the clock.
  const made = Math.min(deps.clinicTime.startOf(slot.date) + minuteMs, now);
  const byPatient = state === 'waiting' || state === 'canceled';
  const actor = byPatient ? actors.patient : actors.staff;
  const requestId = deps.newId();
  const idempotency = { key, fingerprint: '' };
  const context = {
    deps,
    actor,
    requestId,
    cancelLeadMinutes: resolveRule('cancelLeadMinutes', deps.config, {}),
    now: byPatient && made + 60 * minuteMs > slot.startsAt ? now : made,
    toStoredResponse: (answer: { status: number; data?: unknown }) => ({
      idempotency,
      status: answer.status,
      body: { status: 'success', data: answer.data },
    }),
  };
  const input = {
    doctor_id: doctorId,
    session_id: slot.sessionId,
    schedule_date: slot.date,
    schedule_time: formatLocalTime(slot.minuteOfDay),
    notes: '',
    patient_id: patientId,
  };
  try {
    const first = await read(deps.db, bookingReads(deps, context.now, actor.userId, input));
    const { id } = await createBooking(context, input, first);
    for (const verb of stepsTo[state]) {
      const [booking] = await run(deps.db, findBooking(deps.db, { id, accountId: actor.userId }));
      if (booking === undefined) return;
      const step = {
        ...context,
        now: timeOfStep(verb, slot, context.now, now),
        toStoredResponse: () => null,
      };
      await changeBooking(step, verb, {}, booking, { view: () => undefined });
    }
  } catch (error) {
    if (!(error instanceof Failure) && !(error instanceof RequestRepeated)) throw error;
  }
};

const slotsOfToday = async (deps: Deps, doctorId: string, today: string): Promise<Slot[]> => {
  const rows = await read(deps.db, readsOfDates(deps, doctorId, today, today));
  const calendar = calendarIn(rows, deps.clinicTime.zone);
  return typeof calendar === 'string' ? [] : slotsOfDay(calendar.schedules, today, deps.clinicTime);
};

const patientFor = (state: State, at: number): string => {
  const among = state === 'waiting' || state === 'canceled' ? demoPeople.family : demoPeople.walkIns;
  return among[at % among.length] ?? demoPeople.patient;
};

/** Remembers that a date was filled. */
export const buildMark = (date: string) => ({ userId: demoPeople.staff, key: `demo ${date}` });

/**
 * Gives the demo clinic the bookings of today, in every state around now, once a day; in a demo that already ran
 * yesterday, once the clinic is open. It does nothing in a database that is not marked as the demo's, and future days
 * stay free.
 */
export const fillDemoDay = async (deps: Deps, now: number, signal?: AbortSignal): Promise<void> => {
  const { db, clinicTime } = deps;
  const today = clinicTime.dateOf(now);
  const {
    clinic: [clinic],
    done,
    lately,
  } = await runAll(db, {
    clinic: findClinic(db, {}),
    done: findReplay(db, { ...buildMark(today), now }),
    lately: findReplay(db, { ...buildMark(clinicTime.addDays(today, -1)), now }),
  });
  if (clinic === undefined || clinic.demoSince === null || done.length > 0) return;
  const begun = (await slotsOfToday(deps, demoIds.doctors[0], today))[present];
  if (lately.length > 0 && begun !== undefined && now < begun.startsAt) return;
  const actors = await logIn(deps, now);
  for (const [doctor, doctorId] of demoIds.doctors.entries()) {
    const slots = await slotsOfToday(deps, doctorId, today);
    const next = slots.findIndex(({ endsAt }) => endsAt > now);
    const centre = next < 0 ? slots.length : next;
    const from = Math.max(0, Math.min(centre - present, slots.length - screenful.length));
    for (const [nth, slot] of slots.slice(from, from + screenful.length).entries()) {
      if (signal?.aborted) return;
      const state = possible(screenful[nth] ?? 'approved', slot, now);
      // Patients of one slot differ, so that nobody is in two doctors' rooms at once.
      const patientId = patientFor(state, slot.minuteOfDay / 30 + doctor * 3);
      await addBooking(deps, actors, slot, {
        doctorId,
        key: keyOf(today, doctor, nth),
        state,
        patientId,
        now,
      });
    }
  }
  // A booking that failed until now is not tried again every minute.
  const mark = {
    ...buildMark(today),
    fingerprint: '',
    status: 200,
    body: '{}',
    createdAt: now,
    expiresAt: now + dayMs,
  };
  await db.batch([db.insert(replays).values(mark).onConflictDoNothing()]);
};
