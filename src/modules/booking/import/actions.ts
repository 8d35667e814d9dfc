import { formatLocalTime } from '../../../core/clinic/local-time.ts';
import { violatedUnique } from '../../../core/db/conflict.ts';
import { run, runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import type { FieldIssue } from '../../../core/endpoint/field-sentences.ts';
import { findSources, type ImportRecord } from '../../patients/import/queries.ts';
import type { Result } from '../../patients/import/records.ts';
import {
  computeProgress,
  type Importing,
  readImport,
  toStepAnswer,
  writeStep,
} from '../../patients/import/steps.ts';
import { newBookingCode } from '../record/code.ts';
import { eventPayload } from '../record/views.ts';
import { insertPastVisits, recordPastVisits } from '../seats/past-queries.ts';
import type { ImportVisits } from './contract.ts';
import {
  findByRecordNumber,
  findDoctorNames,
  findKnownVisits,
  findRetention,
  findSessionNames,
  findStanding,
} from './queries.ts';
import {
  type Catalog,
  endColumns,
  findVisitor,
  judgeVisit,
  type KnownVisit,
  nameWords,
  outcomeOfKnown,
  type SoundVisit,
  type Visitors,
} from './rules.ts';

/** The dependencies of an import of visits: fewer than a service's, so that the command line can provide them. */
type VisitDeps = Pick<Deps, 'db' | 'archive' | 'newId' | 'clinicTime' | 'eventsWritten'> & {
  config: Pick<Deps['config'], 'RETENTION_YEARS'>;
};

type Input = BodyOf<typeof ImportVisits>;

const distinct = (values: readonly (string | null | undefined)[]): string =>
  JSON.stringify([...new Set(values.flatMap((value) => value?.trim() || []))]);

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

/** The id of a visit that its source knows by an id: a UUID of version 8 (RFC 9562), the same for the same row. */
const idInSource = async (source: string, externalId: string): Promise<string> => {
  const text = new TextEncoder().encode(JSON.stringify(['visit', source, externalId]));
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', text)).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return [...bytes]
    .map(hex)
    .join('')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

/** The catalog, and the patients whom the rows name. */
const readNames = async (
  { db, clinicTime, config }: VisitDeps,
  source: string,
  input: Input,
  now: number,
) => {
  const typed = [...new Set(input.rows.map((row) => row.doctor?.trim() ?? ''))];
  const read = await runAll(db, {
    doctors: findDoctorNames(db, {
      names: distinct(typed.flatMap((name) => [name, name.toLowerCase()])),
      words: distinct(typed.flatMap(nameWords)),
    }),
    sessions: findSessionNames(db, {}),
    retention: findRetention(db, {}),
    sources: findSources(db, {
      source,
      externalIds: distinct(input.rows.map((row) => row.patient_external_id)),
    }),
    numbers: findByRecordNumber(db, {
      numbers: distinct(input.rows.map((row) => row.medical_record_number)),
    }),
  });
  const today = clinicTime.dateOf(now);
  const years = config.RETENTION_YEARS ?? read.retention[0]?.years ?? 0;
  const catalog: Catalog = {
    doctors: read.doctors.map(({ id, name, title, externalId }) => ({
      id,
      names: [name, `${title} ${name}`, ...(externalId === null ? [] : [externalId])],
      label: `${title} ${name}`.trim(),
    })),
    sessions: read.sessions.map(({ id, name, externalId }) => ({
      id,
      names: [name, ...(externalId === null ? [] : [externalId])],
      label: name,
    })),
    today,
    keptFrom:
      years > 0 ? `${String(Number(today.slice(0, 4)) - years).padStart(4, '0')}${today.slice(4)}` : '',
  };
  const visitors: Visitors = {
    byExternalId: new Map(read.sources.map(({ externalId, patientId }) => [externalId, patientId])),
    byRecordNumber: new Map(read.numbers.map(({ number, patientId }) => [number, patientId])),
  };
  return { catalog, visitors };
};

/** A row with its patient, and its id where the source gives it one. */
interface Placed {
  visit: SoundVisit;
  patientId: string;
  id: string | null;
}

const endOf = (row: Awaited<ReturnType<typeof readKnown>>['known'][number]): KnownVisit['end'] => {
  if (row.status === 'canceled') return 'canceled';
  if (row.completedAt !== null) return 'completed';
  return row.noShowAt === null ? null : 'no_show';
};

const readKnown = async ({ db, archive }: VisitDeps, placed: readonly Placed[]) => {
  const wanted = {
    ids: distinct(placed.map(({ id }) => id)),
    starts: JSON.stringify(placed.map(({ patientId, visit }) => [patientId, visit.startsAt])),
  };
  const archived = archive === undefined ? [] : await run(archive.db, findKnownVisits(archive.db, wanted));
  const { standing, known } = await runAll(db, {
    standing: findStanding(db, { ids: distinct(placed.map(({ patientId }) => patientId)) }),
    known: findKnownVisits(db, wanted),
  });
  return { standing, known: [...archived, ...known] };
};

const placeOf = (patientId: string, doctorId: string, startsAt: number): string =>
  `${patientId} ${doctorId} ${startsAt}`;

/** The visits that a step makes, and what becomes of its rows. */
const decideStep = async (deps: VisitDeps, current: ImportRecord, input: Input, now: number) => {
  const { catalog, visitors } = await readNames(deps, current.source, input, now);
  const judged = input.rows.map((row) => judgeVisit(deps.clinicTime, catalog, row, current.dateOrder));
  const placed = new Map<number, Placed>();
  const refused = new Map<number, readonly FieldIssue[]>();
  for (const visit of judged) {
    if ('issues' in visit) {
      refused.set(visit.row, visit.issues);
      continue;
    }
    const patientId = findVisitor(visit, visitors);
    if (typeof patientId !== 'string') refused.set(visit.row, [patientId]);
    else {
      const id = visit.externalId === null ? null : await idInSource(current.source, visit.externalId);
      placed.set(visit.row, { visit, patientId, id });
    }
  }
  const { standing, known } = await readKnown(deps, [...placed.values()]);
  const versions = new Map(standing.map(({ id, version }) => [id, version]));
  const all: KnownVisit[] = known.map((row) => ({ ...row, end: endOf(row) }));
  const byId = new Map(all.map((visit) => [visit.id, visit]));
  const byPlace = new Map(all.map((one) => [placeOf(one.patientId, one.doctorId, one.startsAt), one]));
  const made: (Placed & { id: string })[] = [];
  const results = judged.map(({ row }): Result => {
    const one = placed.get(row);
    const issues = refused.get(row);
    if (one === undefined) return { row, outcome: 'refused', patientId: null, issues: issues ?? [] };
    const { visit, patientId } = one;
    if (!versions.has(patientId))
      return {
        row,
        outcome: 'refused',
        patientId: null,
        issues: [{ path: 'patient_external_id', rule: 'not_found' }],
      };
    const place = placeOf(patientId, visit.doctor.id, visit.startsAt);
    const there = (one.id === null ? undefined : byId.get(one.id)) ?? byPlace.get(place);
    if (there !== undefined)
      return { row, outcome: outcomeOfKnown(visit, patientId, there), patientId, issues: [] };
    const id = one.id ?? deps.newId();
    const { doctor, session, startsAt, end } = visit;
    const next = { id, patientId, doctorId: doctor.id, sessionId: session.id, startsAt, end };
    byId.set(id, next);
    byPlace.set(place, next);
    made.push({ ...one, id });
    return { row, outcome: 'created', patientId, issues: [] };
  });
  return { results, made: current.dryRun ? [] : made, versions };
};

/** What the past of another system does not tell of a booking. */
const untold = {
  ...{ version: 1, queueNumber: 0, queueLabel: '', notes: '', overbooked: 0 },
  ...{ cancelReason: null, checkedInAt: null, firstCalledAt: null, calledAt: null, callCount: 0 },
  ...{
    askedAt: null,
    confirmedAt: null,
    seriesId: null,
    queueTurn: null,
    heldUntil: null,
    payer: null,
    visitKind: null,
  },
  channel: 'imported',
  ...{ referralNumber: null, encounterId: null, externalId: null, metadata: null },
} as const;

type PastVisit = Omit<Parameters<typeof eventPayload>[0], keyof typeof untold | 'createdAt' | 'updatedAt'> & {
  now: number;
};

/** The event that says that a visit of the past is there now. */
const toEvent = ({ actorId, role, requestId }: Importing['by'], row: PastVisit) => {
  const { id, writeId, now } = row;
  const payload = eventPayload({ ...untold, ...row, createdAt: now, updatedAt: now }, role);
  return { id, writeId, now, actorId, actorRole: role, requestId, payload: JSON.stringify(payload) };
};

/** `overtaken` where another import wrote one of the visits, or a booking has one of the codes. */
const unlessThere = async <T>(writing: Promise<T>): Promise<T | typeof overtaken> => {
  try {
    return await writing;
  } catch (error) {
    if (violatedUnique(error)?.startsWith('bookings.')) return overtaken;
    throw error;
  }
};

/**
 * Imports the next visits of the past in one atomic step with how far the import has come; a dry run writes that and the
 * results alone. They tell nobody: no notice, no number, and an event only where the import asks for it.
 */
export const importVisits = (importing: Importing<VisitDeps>, id: string, input: Input) =>
  decideAgain(async () => {
    const { deps, by, language, toStoredResponse } = importing;
    const { db } = deps;
    const current = await readImport(deps, id, 'visits', input);
    const { results, made, versions } = await decideStep(deps, current, input, by.now);
    const progress = computeProgress(current, input, results, by.now);
    const answer = toStepAnswer(progress, language);
    const writeId = deps.newId();
    const rows = made.map(({ id: visitId, visit, patientId }) => ({
      ...{ id: visitId, writeId, patientId, createdBy: by.actorId ?? patientId, now: by.now },
      ...{ doctorId: visit.doctor.id, doctorName: visit.doctor.label },
      ...{ sessionId: visit.session.id, sessionName: visit.session.label },
      ...{ scheduleDate: visit.date, scheduleTime: formatLocalTime(visit.minute) },
      ...{ startsAt: visit.startsAt, endsAt: visit.endsAt },
      ...{ bookingCode: newBookingCode(), staffNotes: visit.staffNotes },
      ...endColumns(visit),
    }));
    const events = current.events ? rows.map((row) => toEvent(by, row)) : [];
    const touched = new Set(made.map(({ patientId }) => patientId));
    const step = {
      ...{ writeId, recordCounter: null, type: 'visits_imported' as const },
      versions: Object.fromEntries([...versions].filter(([patientId]) => touched.has(patientId))),
      statements: [
        ...(rows.length === 0 ? [] : [insertPastVisits(db, rows)]),
        ...(events.length === 0 ? [] : [recordPastVisits(db, events)]),
      ],
    };
    const written = writeStep({ deps, by }, progress, step, toStoredResponse(answer));
    if ((await unlessThere(written)) === overtaken) return overtaken;
    if (events.length > 0) deps.eventsWritten();
    return answer;
  });
