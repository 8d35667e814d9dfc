// Pure: the visit that a row tells of, and what is done with it.

import type { ClinicTime } from '../../../core/clinic/time.ts';
import type { FieldIssue } from '../../../core/endpoint/field-sentences.ts';
import type { DateOrder, ImportOutcome, PastVisitEnd } from '../../../core/tables/words.ts';
import { readVisit, type VisitCells } from './cell-rules.ts';

/** A doctor or a session, retired ones too: their visits are of the past. */
interface Named {
  id: string;
  names: readonly string[];
  /** As it stands in the visit. */
  label: string;
}

/** What a step's rows are judged by. */
export interface Catalog {
  doctors: readonly Named[];
  sessions: readonly Named[];
  /** The date of the clinic's today: a visit of the past is before it. */
  today: string;
  /** The first date that the clinic keeps; empty where it keeps all. */
  keptFrom: string;
}

const words = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/** What people write before and behind a doctor's name. */
const titles = /^(dr|drg|dokter|prof|hj?|sp[a-z]{0,3}|kes|ked|mkes|subsp|[a-z])$/;

const folded = (text: string): string => words(text).join(' ');
/** The words of a typed name, without titles: by them a doctor is looked for. */
export const nameWords = (text: string): string[] => words(text).filter((word) => !titles.test(word));

const bare = (text: string): string => nameWords(text).join(' ');

/** The one that is meant by a typed id or name: as it is written, else without titles; never guessed of several. */
const meant = (all: readonly Named[], path: 'doctor' | 'session', typed: string): Named | FieldIssue => {
  const findBy = (form: (text: string) => string) => {
    const wanted = form(typed);
    return wanted === '' ? [] : all.filter(({ names }) => names.some((name) => form(name) === wanted));
  };
  const exact = all.filter(({ names, id }) => id === typed.toLowerCase() || names.includes(typed));
  const found = [exact, findBy(folded), path === 'doctor' ? findBy(bare) : []].find(
    (some) => some.length > 0,
  );
  const [one, other] = found ?? [];
  if (one === undefined) return { path, rule: 'not_found' };
  return other === undefined ? one : { path, rule: 'several_found' };
};

/** A row that can be taken, but for its patient. */
export interface SoundVisit {
  row: number;
  patientExternalId: string | null;
  medicalRecordNumber: string | null;
  externalId: string | null;
  doctor: Named;
  session: Named;
  date: string;
  minute: number;
  startsAt: number;
  endsAt: number;
  end: PastVisitEnd;
  canceledBy: 'patient' | 'staff';
  staffNotes: string;
}

interface UnsoundVisit {
  row: number;
  issues: readonly FieldIssue[];
}

/** Judges a row without its patient. */
export const judgeVisit = (
  clinicTime: ClinicTime,
  { doctors, sessions, today, keptFrom }: Catalog,
  { row, ...cells }: VisitCells & { row: number },
  order: DateOrder | null,
): SoundVisit | UnsoundVisit => {
  const read = readVisit(cells, order);
  const issues = [...read.issues];
  const doctor = read.doctor === '' ? null : meant(doctors, 'doctor', read.doctor);
  const session = read.session === '' ? null : meant(sessions, 'session', read.session);
  for (const found of [doctor, session]) if (found !== null && 'rule' in found) issues.push(found);
  if (read.date !== '' && read.date >= today) issues.push({ path: 'date', rule: 'past_only' });
  else if (read.date !== '' && read.date < keptFrom) issues.push({ path: 'date', rule: 'past_retention' });
  if (issues.length > 0 || doctor === null || session === null || 'rule' in doctor || 'rule' in session)
    return { row, issues };
  const startsAt = clinicTime.instantOf(read.date, read.minute) ?? clinicTime.startOf(read.date);
  const { patientExternalId, medicalRecordNumber, externalId, date, minute, end, canceledBy, staffNotes } =
    read;
  return {
    ...{ row, patientExternalId, medicalRecordNumber, externalId, doctor, session, date, minute, startsAt },
    endsAt: startsAt + (read.endMinute - minute) * 60_000,
    ...{ end, canceledBy, staffNotes },
  };
};

/** The patients that a row may name, by the id of the source and by the medical record number. */
export interface Visitors {
  byExternalId: ReadonlyMap<string, string>;
  byRecordNumber: ReadonlyMap<string, string>;
}

/** The patient that a row names. Two numbers of two patients are refused. */
export const findVisitor = (
  { patientExternalId, medicalRecordNumber }: SoundVisit,
  { byExternalId, byRecordNumber }: Visitors,
): string | FieldIssue => {
  const bySource = patientExternalId === null ? undefined : byExternalId.get(patientExternalId);
  const byNumber = medicalRecordNumber === null ? undefined : byRecordNumber.get(medicalRecordNumber);
  if (bySource !== undefined && byNumber !== undefined && bySource !== byNumber)
    return { path: 'medical_record_number', rule: 'other_patient' };
  const path = patientExternalId === null ? 'medical_record_number' : 'patient_external_id';
  return bySource ?? byNumber ?? { path, rule: 'not_found' };
};

export interface KnownVisit {
  id: string;
  patientId: string;
  doctorId: string;
  sessionId: string;
  startsAt: number;
  end: PastVisitEnd | null;
}

/** What becomes of a row whose visit is there: nothing changes; where it says something else, it is left out. */
export const outcomeOfKnown = (
  { doctor, session, startsAt, end }: SoundVisit,
  patientId: string,
  known: KnownVisit,
): Extract<ImportOutcome, 'unchanged' | 'skipped'> =>
  known.patientId === patientId &&
  known.doctorId === doctor.id &&
  known.sessionId === session.id &&
  known.startsAt === startsAt &&
  known.end === end
    ? 'unchanged'
    : 'skipped';

/** The columns of a visit that say how it ended: the past's own times are not known, but those of its slot. */
export const endColumns = ({ end, startsAt, endsAt, canceledBy }: SoundVisit) => {
  const isCanceled = end === 'canceled';
  return {
    status: isCanceled ? ('canceled' as const) : ('approved' as const),
    approvedAt: isCanceled ? null : startsAt,
    completedAt: end === 'completed' ? endsAt : null,
    noShowAt: end === 'no_show' ? endsAt : null,
    canceledAt: isCanceled ? startsAt : null,
    canceledBy: isCanceled ? canceledBy : null,
    cancelReasonCode: isCanceled ? ('canceled' as const) : null,
  };
};
