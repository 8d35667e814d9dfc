import type { Deps } from '../../../core/deps.ts';
import { dialledPhone } from '../../../core/search/phone-rules.ts';
import { type ExchangeStep, visitKinds } from '../../../core/tables/words.ts';
import { type Claimed, isErased } from '../../exchange/outbox/queries.ts';
import type { ExchangeSlot } from '../../exchange/outbox/steps.ts';
import { noAnswer, type Verdict } from '../../exchange/outbox/verdict.ts';
import { openNumber } from '../../patients/numbers/numbers.ts';
import { findShift, readQuotas } from '../shifts/quotas.ts';
import { judgeAnswer, maskAnswer, readNamedTime } from './answers.ts';
import { askBpjs, type BpjsCall } from './client.ts';

const tasks: Partial<Record<ExchangeStep, number>> = { arrive: 3, call: 4, complete: 5, absent: 99 };
/** How often an instant is raised because BPJS wants a later one. */
const maxRaised = 5;

/** The code of the next `add`: a code that was used cannot be added again, so a moved booking gets another. */
export const nextCode = (bookingCode: string, used: string | null): string => {
  if (used === null) return bookingCode;
  const moves = Number(/-(\d+)$/.exec(used.slice(bookingCode.length))?.[1] ?? 1);
  return `${bookingCode}-${moves + 1}`;
};

/** The patient's numbers as BPJS takes them: only those that the clinic has confirmed. */
const openNumbers = async (deps: Deps, row: Claimed) => {
  const isConfirmed = row.numbersConfirmedAt !== null;
  return {
    nik: (isConfirmed && (await openNumber(deps, row.nationalId))) || '',
    nomorkartu: (isConfirmed && (await openNumber(deps, row.insuranceNumber))) || '',
  };
};

type Numbers = Awaited<ReturnType<typeof openNumbers>>;

const buildAdd = (
  isHospital: boolean,
  row: Claimed,
  slot: ExchangeSlot & { label: string; number: number },
  numbers: Numbers,
  kodebooking: string,
): BpjsCall | Verdict => {
  const { poliCode, doctorCode, shiftStart, shiftEnd } = row;
  if (poliCode === null) return { is: 'parked', reason: 'no_poli_code' };
  if (doctorCode === null) return { is: 'parked', reason: 'no_doctor_code' };
  if (shiftStart === null || shiftEnd === null) return { is: 'parked', reason: 'no_hours' };
  const isInsured = row.payer === 'jkn';
  if (isInsured && numbers.nomorkartu === '') return { is: 'parked', reason: 'no_card' };
  const shared = {
    nomorkartu: isHospital && !isInsured ? '' : numbers.nomorkartu,
    nik: numbers.nik,
    nohp: dialledPhone(row.phoneCountryCode, row.phone),
    kodepoli: poliCode,
    namapoli: row.sessionName,
    norm: row.recordNumber ?? '',
    tanggalperiksa: slot.date,
    kodedokter: doctorCode,
    namadokter: row.doctorName,
    jampraktek: `${shiftStart.slice(0, 5)}-${shiftEnd.slice(0, 5)}`,
    nomorantrean: slot.label || String(slot.number),
    angkaantrean: slot.number,
    keterangan: 'Peserta harap hadir 30 menit sebelum jadwal.',
  };
  const body = isHospital
    ? {
        kodebooking,
        jenispasien: isInsured ? 'JKN' : 'NON JKN',
        ...shared,
        pasienbaru: row.recordNumber === null ? 1 : 0,
        jeniskunjungan: visitKinds.indexOf(row.visitKind ?? 'control') + 1,
        nomorreferensi: row.referralNumber ?? '',
        estimasidilayani: slot.startsAt,
      }
    : shared;
  return { method: 'POST', path: 'antrean/add', body };
};

const buildCall = (
  isHospital: boolean,
  step: ExchangeStep,
  row: Claimed,
  slot: ExchangeSlot & { label: string; number: number },
  numbers: Numbers,
): BpjsCall | Verdict => {
  const waktu = row.occurredAt;
  const kodebooking = row.exchangeCode ?? row.bookingCode;
  const visit = { tanggalperiksa: slot.date, kodepoli: row.poliCode, nomorkartu: numbers.nomorkartu };
  if (!isHospital && row.poliCode === null) return { is: 'parked', reason: 'no_poli_code' };
  if (!isHospital && numbers.nomorkartu === '') return { is: 'parked', reason: 'no_card' };
  const why = row.cancelReason ?? 'Dibatalkan';
  switch (step) {
    case 'add':
      return buildAdd(isHospital, row, slot, numbers, nextCode(row.bookingCode, row.exchangeCode));
    case 'cancel':
      return {
        method: 'POST',
        path: 'antrean/batal',
        body: isHospital ? { kodebooking, keterangan: why } : { ...visit, alasan: why },
      };
    default:
      return isHospital
        ? { method: 'POST', path: 'antrean/updatewaktu', body: { kodebooking, taskid: tasks[step], waktu } }
        : {
            method: 'POST',
            path: 'antrean/panggil',
            body: { ...visit, status: step === 'absent' ? 2 : 1, waktu },
          };
  }
};

/** The quotas of the shift in which the booking of a step is. */
const readBookingQuotas = async (
  asking: { deps: Deps; now: number },
  { poliCode }: Claimed,
  slot: ExchangeSlot,
) => {
  const { doctorId, sessionId, date, time } = slot;
  const place = { poliCode, doctorId, sessionId, scheduleDate: date, scheduleTime: time };
  return readQuotas(asking, await findShift(asking, 'rs', place), date);
};

/** Sends one step of a booking to BPJS, or adds the booking first where BPJS does not know it yet. */
export const sendToBpjs = async (deps: Deps, row: Claimed, signal: AbortSignal): Promise<Verdict> => {
  const { clock, clinicTime, config } = deps;
  const now = clock();
  const slot: ExchangeSlot & { label: string; number: number } = JSON.parse(row.slot);
  // A queue time of another day would be counted as one of today.
  if (slot.date < clinicTime.dateOf(now)) return { is: 'dropped', why: 'old' };
  const isUnknown = row.exchangeCode === null && row.step !== 'add';
  if (isUnknown && (row.step === 'cancel' || row.isLeft)) return { is: 'dropped', why: 'left' };
  const isHospital = config.BPJS === 'rs';
  // A hospital's visit is known by its code, which is nobody's; a first-level clinic's by the card alone.
  if (isErased(row) && (!isHospital || isUnknown || row.step === 'add'))
    // An attempt before may have been taken, though its answer was lost: the next step cancels it under that code.
    return isHospital && row.step === 'add' && row.attempts > 1
      ? { is: 'done', exchangeCode: nextCode(row.bookingCode, row.exchangeCode) }
      : { is: 'dropped', why: 'erased' };
  const numbers = await openNumbers(deps, row);
  // First-level clinics report insured patients alone: a visit has no other name there than the card.
  if (!isHospital && numbers.nomorkartu === '' && row.payer !== 'jkn')
    return { is: 'dropped', why: 'not_theirs' };
  const step = isUnknown ? 'add' : row.step;
  const call = buildCall(isHospital, step, row, slot, numbers);
  if ('is' in call) return call;
  const quotas = isHospital && step === 'add' ? await readBookingQuotas({ deps, now }, row, slot) : {};
  const { code, message, heard } = await askBpjs(
    deps,
    { ...call, body: { ...call.body, ...quotas } },
    signal,
  );
  const { means, reason } = judgeAnswer(code, message, tasks[step] ?? null);
  switch (means) {
    case 'done':
      if (step !== 'add') return { is: 'done' };
      return {
        is: isUnknown ? 'joined' : 'done',
        exchangeCode: nextCode(row.bookingCode, row.exchangeCode),
      };
    case 'closed':
      return { is: 'dropped', why: 'closed' };
    case 'later': {
      if (row.attempts > maxRaised) return { is: 'parked', reason: 'time', answer: maskAnswer(message) };
      // The sentence shows whole seconds.
      const at = Math.max(row.occurredAt, readNamedTime(message) ?? row.occurredAt) + 1000;
      return { is: 'again', reason: 'time', at };
    }
    case 'rest':
      return { is: 'rest', reason: reason ?? 'signature', heard };
    case 'again':
      return { ...noAnswer(heard), ...(message !== '' && { answer: maskAnswer(message) }) };
    case 'parked':
      if (isErased(row)) return { is: 'dropped', why: 'erased' };
      return { is: 'parked', reason: reason ?? 'refused', answer: maskAnswer(message) };
  }
};
