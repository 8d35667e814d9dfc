import { run, runAll } from '../../../core/db/db.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { say } from '../../../core/endpoint/sentences.ts';
import type { AnyContext } from '../../auth/context.ts';
import { bookInShift, type Shift, type ShiftAnswer } from '../../booking/changes/shift.ts';
import { findBookable } from '../../patients/record/queries.ts';
import { findShifts, type ShiftRow } from '../shifts/queries.ts';
import { findShift, isIn, readQuotas } from '../shifts/quotas.ts';
import { blank, refusal, type Said } from './dialect.ts';
import {
  dateIn,
  doctorCodeIn,
  type Given,
  needed,
  numbersIn,
  readLine,
  readText,
  shiftIn,
  visitKindIn,
} from './input.ts';
import { completeNumbers, findPatient } from './people.ts';
import { type Antrean, findAntrean, findPoli } from './queries.ts';
import { antreanSentences as sentences } from './sentences.ts';

export type Family = 'rs' | 'fktp';

/** What a call asks about: a poli on a date, and a doctor's hours where they are named. */
interface Asked {
  poli: string;
  date: string;
  doctor?: { code: number; hours: string } | undefined;
}

const isShift = ({ startTime, endTime }: ShiftRow, hours: string): boolean => {
  const named = shiftIn(hours);
  return named !== null && startTime.startsWith(named.start) && endTime.startsWith(named.end);
};

/** The shifts that are asked for; throws the sentence for what is not there. */
export const shiftsFor = async ({ deps, now }: AnyContext, family: Family, { poli, date, doctor }: Asked) => {
  const { db, clinicTime } = deps;
  const { known, shifts } = await runAll(db, {
    known: findPoli(db, { family, poli }),
    shifts: findShifts(db, { family, poli, date, now }),
  });
  if (known.length === 0) throw refusal(sentences.no_poli);
  const named = doctor && known.find(({ doctorCode }) => doctorCode === doctor.code);
  if (doctor !== undefined && named === undefined) throw refusal(sentences.no_doctor);
  if (date < clinicTime.dateOf(now)) throw refusal(sentences.date_off);
  const found = doctor
    ? shifts.filter((one) => one.doctorCode === doctor.code && isShift(one, doctor.hours))
    : shifts;
  const [first, ...others] = found;
  if (first === undefined)
    throw refusal(
      named === undefined || shifts.length === 0
        ? sentences.poli_closed
        : say(sentences.no_shift, { doctor: named.doctorName }),
    );
  return [first, ...others] as const;
};

const referralForm = /^[\x21-\x7e]{1,40}$/;

/** Who pays, and what for, as a hospital is told; a first-level clinic has insured patients alone. */
const visitIn = (given: Given, family: Family, card: string) => {
  if (family === 'fktp') return { payer: 'jkn' as const };
  const visit_kind = visitKindIn(given);
  const referral = readText(given, 'nomorreferensi');
  if (referral === '' && card !== '') throw blank('Nomor Referensi');
  if (referral !== '' && !referralForm.test(referral))
    throw refusal(say(sentences.form, { field: 'Nomor Referensi' }));
  return {
    payer: card === '' ? ('non_jkn' as const) : ('jkn' as const),
    visit_kind,
    ...(referral !== '' && { referral_number: referral }),
  };
};

/** The doctor's hours that are named; a first-level clinic of the older version is asked for a poli alone. */
export const doctorIn = (given: Given, isNeeded: boolean): Asked['doctor'] => {
  if (!isNeeded && readText(given, 'kodedokter') === '') return undefined;
  const code = doctorCodeIn(needed(given, 'kodedokter', 'Kode Dokter'));
  return { code, hours: needed(given, 'jampraktek', 'Jam Praktek') };
};

/** The share of the payer in a shift with a quota. */
const toShift = (row: ShiftRow, isInsured: boolean): Shift => {
  const { doctorId, sessionId, startTime, endTime, places, jknQuota } = row;
  const quota = jknQuota === null ? null : Math.min(places, jknQuota);
  return {
    doctorId,
    sessionId,
    startTime,
    endTime,
    share: quota === null || isInsured ? quota : places - quota,
  };
};

const refuse = (answer: Exclude<ShiftAnswer, { booked: string }>, doctor: string): Failure => {
  switch (answer.refused) {
    case 'same_day':
      return refusal(sentences.once);
    case 'same_referral':
      return refusal(sentences.referral_used);
    case 'full':
      return refusal(sentences.full);
    case 'busy':
      return refusal(sentences.busy);
    case 'unavailable':
      return new Failure('unavailable');
    case 'too_far':
      return refusal(sentences.date_off);
    case 'past':
    case 'too_soon':
    case 'holiday':
      return refusal(sentences.poli_closed);
    default:
      return refusal(say(sentences.no_shift, { doctor }));
  }
};

/** A booking with its shift as it is now. */
export interface Taken {
  antrean: Antrean;
  shift: ShiftRow | undefined;
}

/** Reads a booking by its id, and its shift. */
export const readTaken = async (context: AnyContext, family: Family, id: string): Promise<Taken> => {
  const { db } = context.deps;
  const [antrean] = await run(db, findAntrean(db, { id, code: null, family }));
  if (antrean === undefined) throw refusal(sentences.not_found);
  return { antrean, shift: await findShift(context, family, antrean) };
};

/** Ambil Antrean: a number in the first free slot, or the one that the patient was given before for the same shift. */
export const take = async (
  context: AnyContext,
  family: Family,
  given: Given,
  needsDoctor: boolean,
): Promise<Taken> => {
  const { deps, actor } = context;
  const { db } = deps;
  const numbers = numbersIn(given, family === 'fktp');
  // The older first-level version has no such field.
  if (needsDoctor) needed(given, 'nohp', 'No.HP');
  const poli = needed(given, 'kodepoli', 'Kode Poli');
  const date = dateIn(given, 'tanggalperiksa');
  const doctor = doctorIn(given, needsDoctor);
  const visit = visitIn(given, family, numbers.card);
  const rows = await shiftsFor(context, family, { poli, date, doctor });
  const patient = await findPatient(context, numbers);
  if (patient === undefined) throw refusal(sentences.new_patient, 202);
  await completeNumbers(context, patient, numbers);
  const [first, ...others] = rows;
  const [bookable] = await run(
    db,
    findBookable(db, { id: patient.id, accountId: actor.userId, doctorId: first.doctorId }),
  );
  const isInsured = visit.payer === 'jkn';
  const answer = await bookInShift(
    context,
    {
      shifts: [toShift(first, isInsured), ...others.map((row) => toShift(row, isInsured))],
      date,
      poli: { family, code: poli },
      booking: {
        patient_id: patient.id,
        channel: 'mobile_jkn',
        notes: readLine(given, 'keluhan', 500),
        ...visit,
      },
    },
    bookable,
  );
  if ('booked' in answer) return readTaken(context, family, answer.booked);
  if (answer.refused === 'same_day') {
    const taken = await readTaken(context, family, answer.id);
    const isRepeat = taken.antrean.channel === 'mobile_jkn' && rows.some((row) => isIn(row, taken.antrean));
    if (isRepeat) return taken;
  }
  throw refuse(answer, first.doctorName);
};

/** The code under which BPJS knows a booking. */
const codeOf = ({ exchangeCode, bookingCode }: Antrean): string => exchangeCode ?? bookingCode;

/** A number that was taken, as a hospital answers. */
export const takenAtHospital = async (context: AnyContext, { antrean, shift }: Taken): Promise<Said> => ({
  response: {
    nomorantrean: antrean.queueLabel,
    angkaantrean: antrean.queueNumber,
    kodebooking: codeOf(antrean),
    pasienbaru: 0,
    norm: antrean.recordNumber ?? '',
    namapoli: antrean.sessionName,
    namadokter: antrean.doctorName,
    estimasidilayani: antrean.startsAt,
    ...(await readQuotas(context, shift, antrean.scheduleDate)),
    keterangan: sentences.remark.id,
  },
});

/** The same as a first-level clinic answers; its older version has every number as text. */
export const takenAtFirstLevel = ({ antrean, shift }: Taken, isV2: boolean): Said => ({
  response: {
    nomorantrean: antrean.queueLabel,
    angkaantrean: isV2 ? antrean.queueNumber : String(antrean.queueNumber),
    namapoli: antrean.sessionName,
    sisaantrean: isV2 ? (shift?.left ?? 0) : String(shift?.left ?? 0),
    antreanpanggil: shift?.called ?? '',
    keterangan: sentences.remark.id,
  },
});
