import { dayMs } from '../../../core/clinic/durations.ts';
import { run } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { AnyContext } from '../../auth/context.ts';
import { changeBooking } from '../../booking/changes/change.ts';
import { findTurnsBeside } from '../../booking/queue/queries.ts';
import { expectedVisitMs, inRoom, lastCalls, listWaiting } from '../../booking/queue/rules.ts';
import type { ShiftRow } from '../shifts/queries.ts';
import { readQuotas } from '../shifts/quotas.ts';
import { refusal, type Said } from './dialect.ts';
import { type Given, type Numbers, needed, readLine } from './input.ts';
import { findPatient } from './people.ts';
import { type Antrean, findAntrean, findAntreanByCode } from './queries.ts';
import { antreanSentences as sentences } from './sentences.ts';
import type { Family, Taken } from './take.ts';

/** Status Antrean of a shift at a hospital. */
export const hospitalStatus = async (context: AnyContext, shift: ShiftRow, date: string): Promise<Said> => ({
  response: {
    namapoli: shift.poliName,
    namadokter: shift.doctorName,
    totalantrean: shift.taken,
    sisaantrean: shift.left,
    antreanpanggil: shift.called ?? '',
    ...(await readQuotas(context, shift, date)),
    keterangan: '',
  },
});

const sum = (rows: readonly ShiftRow[], of: (row: ShiftRow) => number): number =>
  rows.reduce((total, row) => total + of(row), 0);

/** Status Antrean of a poli at a first-level clinic: all its doctors together, in text. */
export const firstLevelStatus = (rows: readonly ShiftRow[]): Said => {
  const last = rows.reduce(
    (latest, row) => ((row.calledAt ?? 0) > (latest?.calledAt ?? 0) ? row : latest),
    rows[0],
  );
  return {
    response: {
      namapoli: rows[0]?.poliName ?? '',
      totalantrean: String(sum(rows, ({ taken }) => taken)),
      sisaantrean: String(sum(rows, ({ left }) => left)),
      antreanpanggil: last?.called ?? '',
      keterangan: '',
    },
  };
};

const toShiftStatus = (row: ShiftRow) => ({
  namapoli: row.poliName,
  totalantrean: String(row.taken),
  sisaantrean: row.left,
  antreanpanggil: row.called ?? '',
  keterangan: '',
  kodedokter: row.doctorCode,
  namadokter: row.doctorName,
  jampraktek: `${row.startTime.slice(0, 5)}-${row.endTime.slice(0, 5)}`,
});

/** The same in the newer version, a line for each shift of a doctor whom HFIS knows: others cannot be named in a call. */
export const firstLevelStatusV2 = (rows: readonly ShiftRow[]): Said => {
  const known = rows.filter(({ doctorCode }) => doctorCode !== null);
  if (known.length === 0) throw refusal(sentences.poli_closed);
  return { response: known.map(toShiftStatus) };
};

/** A booking by the code under which BPJS knows it; one that was moved has another than at first. */
export const byCode = async ({ deps: { db } }: AnyContext, given: Given): Promise<Antrean> => {
  const code = needed(given, 'kodebooking', 'Kode Booking').toUpperCase();
  const [found] = await run(
    db,
    findAntrean(db, { id: null, code: code.replace(/-\d{1,3}$/, ''), family: 'rs' }),
  );
  if (found === undefined) throw refusal(sentences.not_found);
  return found;
};

/** A booking as a first-level clinic is asked for it: by card, poli and date. */
export const byCard = async (
  context: AnyContext,
  numbers: Numbers,
  { poli, date }: { poli: string; date: string },
): Promise<Antrean> => {
  const { deps } = context;
  const patient = await findPatient(context, numbers);
  const start = deps.clinicTime.startOf(date);
  const span = { after: start - 2 * dayMs, before: start + 2 * dayMs };
  const [found] =
    patient === undefined
      ? []
      : await run(
          deps.db,
          findAntreanByCode(deps.db, { patientId: patient.id, poli, date, family: 'fktp', ...span }),
        );
  if (found === undefined) throw refusal(sentences.not_found);
  return found;
};

/**
 * How far the queue of a booking is: who is left with it, itself and the patient in the doctor's room counted (it falls
 * when a visit ends, task 5), and who was called last.
 */
const readPlace = async ({ deps: { db } }: AnyContext, antrean: Antrean) => {
  const turns = await run(db, findTurnsBeside(db, { id: antrean.id, date: antrean.scheduleDate }));
  const own = turns.find(({ id }) => id === antrean.id);
  const waiting = listWaiting(turns);
  const before = own === undefined ? -1 : waiting.indexOf(own);
  const isBusy = inRoom(turns) !== null;
  const left = before >= 0 ? before + 1 + Number(isBusy) : Number(own?.completedAt === null);
  const [last] = lastCalls(turns);
  return { turns, left, called: last?.label ?? '' };
};

const assertStands = (antrean: Antrean): void => {
  if (antrean.status === 'canceled') throw refusal(sentences.not_found_or_canceled);
};

/** Sisa Antrean: `waktutunggu` is in seconds, by how long visits took today, or else by the slot. */
export const hospitalLeft = async (context: AnyContext, { antrean, shift }: Taken): Promise<Said> => {
  assertStands(antrean);
  const { turns, left, called } = await readPlace(context, antrean);
  const { slotMinutes = null, capacity = null } = shift ?? {};
  const secondsEach = expectedVisitMs(turns, { slotMinutes, capacity }) / 1000;
  return {
    response: {
      nomorantrean: antrean.queueLabel,
      namapoli: antrean.sessionName,
      namadokter: antrean.doctorName,
      sisaantrean: left,
      antreanpanggil: called,
      waktutunggu: Math.round(secondsEach * Math.max(0, left - 1)),
      keterangan: '',
    },
  };
};

export const firstLevelLeft = async (context: AnyContext, antrean: Antrean): Promise<Said> => {
  assertStands(antrean);
  const { left, called } = await readPlace(context, antrean);
  return {
    response: {
      nomorantrean: antrean.queueLabel,
      namapoli: antrean.sessionName,
      sisaantrean: String(left),
      antreanpanggil: called,
      keterangan: '',
    },
  };
};

/** Does a verb on the booking as it was judged; where it changed meanwhile it is judged again. */
const change = (
  context: AnyContext,
  family: Family,
  first: Antrean,
  verb: 'cancel' | 'check-in',
  judge: (antrean: Antrean) => 'done' | undefined,
  reason?: string,
): Promise<Said> => {
  const { db } = context.deps;
  let antrean = first;
  return decideAgain<Said>(async () => {
    if (judge(antrean) === 'done') return {};
    try {
      const { version } = antrean;
      await changeBooking(context, verb, { reason, version }, antrean, { view: () => ({}) });
      return {};
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'version_mismatch') throw error;
      const [again] = await run(db, findAntrean(db, { id: first.id, code: null, family }));
      if (again === undefined) throw refusal(sentences.not_found);
      antrean = again;
      return overtaken;
    }
  });
};

/** Batal Antrean: of a visit that has not begun, until its day is over. */
export const cancel = (
  context: AnyContext,
  family: Family,
  antrean: Antrean,
  given: Given,
): Promise<Said> => {
  const today = context.deps.clinicTime.dateOf(context.now);
  const judge = (now: Antrean): undefined => {
    assertStands(now);
    if (now.checkedInAt !== null || now.completedAt !== null) throw refusal(sentences.served);
    if (now.scheduleDate < today || now.noShowAt !== null) throw refusal(sentences.cancel_over);
  };
  return change(context, family, antrean, 'cancel', judge, readLine(given, 'keterangan', 200) || undefined);
};

/** Check In: once is enough, and a repeat is no second visit. The clinic's own clock counts, not `waktu`. */
export const checkIn = (context: AnyContext, antrean: Antrean): Promise<Said> => {
  const today = context.deps.clinicTime.dateOf(context.now);
  return change(context, 'rs', antrean, 'check-in', (now) => {
    assertStands(now);
    if (now.checkedInAt !== null || now.completedAt !== null) return 'done';
    if (now.scheduleDate > today) throw refusal(sentences.check_in_early);
    if (now.scheduleDate < today || now.noShowAt !== null) throw refusal(sentences.check_in_over);
    return undefined;
  });
};
