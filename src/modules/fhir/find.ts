import { dayMs } from '../../core/clinic/durations.ts';
import { resolveRules } from '../../core/clinic/rules.ts';
import { run, runAll } from '../../core/db/db.ts';
import { soughtIn } from '../../core/search/rules.ts';
import type { AnyActor, AnyContext } from '../auth/context.ts';
import { deriveHashes, openNumber } from '../patients/numbers/numbers.ts';
import { withArchived } from './archived.ts';
import { baseUrl } from './base.ts';
import { practiceName } from './practice.ts';
import {
  type AppointmentWay,
  appointments,
  findClinic,
  findDoctors,
  findSchedules,
  findSessions,
  type PatientRow,
  type PatientWay,
  patientsFound,
} from './queries.ts';
import * as resources from './resources.ts';
import {
  type Include,
  idIn,
  matchesAll,
  type Search,
  type Span,
  spansOf,
  tokenIn,
  valuesOf,
} from './search.ts';
import { actorIds, lowerToken } from './slots.ts';
import { includesOf, type Resource, type TypeName, valuesAt } from './types.ts';

type Asking = Pick<AnyContext, 'deps' | 'now' | 'actor'>;

/** Where the next page begins. */
export type Position = readonly (string | number)[];

/** One page of a search. */
export interface FoundPage {
  matches: Resource[];
  /** How many there are on all pages; absent where that would read all patients, or years of an archive. */
  total?: number;
  next: Position | null;
  /** Whether the search names too little to be made. */
  isTooWide?: true;
}

const isClinic = ({ role }: AnyActor): boolean => role !== 'patient' && role !== 'doctor';
const whose = (actor: AnyActor) => ({
  accountId: actor.userId,
  doctorId: actor.doctorId,
  isClinic: Number(isClinic(actor)),
});
const listed = (values: readonly unknown[] | null | undefined): string | null =>
  values == null ? null : JSON.stringify(values);

type Catalog = Exclude<TypeName, 'Patient' | 'Slot' | 'Appointment'>;

const withClinic = async ({ deps }: Asking, toResource: typeof resources.toOrganization) =>
  (await run(deps.db, findClinic(deps.db, {}))).map(toResource);

const loaders: Record<Catalog, (asking: Asking, ids: string | null) => Promise<Resource[]>> = {
  Organization: (asking) => withClinic(asking, resources.toOrganization),
  Location: (asking) => withClinic(asking, resources.toLocation),
  Practitioner: async ({ deps }, ids) =>
    (await run(deps.db, findDoctors(deps.db, ids))).map(resources.toPractitioner),
  PractitionerRole: async ({ deps }, ids) =>
    (await run(deps.db, findDoctors(deps.db, ids))).map(resources.toPractitionerRole),
  HealthcareService: async ({ deps }, ids) =>
    (await run(deps.db, findSessions(deps.db, ids))).map(resources.toHealthcareService),
  Schedule: async ({ deps, now }, ids) => {
    const {
      clinics: [clinic],
      rows,
    } = await runAll(deps.db, { clinics: findClinic(deps.db, {}), rows: findSchedules(deps.db, ids) });
    const today = deps.clinicTime.dateOf(now);
    const { maxAdvanceDays } = resolveRules(deps.config, clinic ?? {});
    const horizon = [today, deps.clinicTime.addDays(today, maxAdvanceDays)] as const;
    return rows.map((row) => resources.toSchedule(row, horizon));
  },
};

const isCatalog = (type: TypeName): type is Catalog => Object.hasOwn(loaders, type);

/** One resource of the catalogue by its id; undefined if there is none. */
export const readCatalog = async (asking: Asking, type: Catalog, id: string): Promise<Resource | undefined> =>
  (await loaders[type](asking, JSON.stringify([id]))).find((resource) => resource.id === id);

const searchCatalog = async (
  asking: Asking,
  type: Catalog,
  { filters, count }: Search,
  [after = '']: Position,
): Promise<FoundPage> => {
  const { deps, now } = asking;
  const base = baseUrl(deps);
  const ids = listed(valuesOf({ filters }, ['_id'], (id) => id));
  const found = (await loaders[type](asking, ids)).filter((one) =>
    matchesAll(one, filters, base, deps.clinicTime, now),
  );
  const left = found.filter(({ id }) => id > String(after));
  const matches = left.slice(0, count);
  return { matches, total: found.length, next: nextAfter(left, matches, ({ id }) => [id]) };
};

/** Where the page after these begins; null if it is the last, or none was asked for. */
export const nextAfter = <T>(
  left: readonly T[],
  shown: readonly T[],
  place: (row: T) => Position,
): Position | null => {
  const last = shown.at(-1);
  return last !== undefined && left.length > shown.length ? place(last) : null;
};

const noPatients = { ids: null, nationalIds: null, insuranceNumbers: null, recordNumbers: null };
const anyPatients = {
  ...noPatients,
  starts: null,
  terms: null,
  genders: null,
  born: null,
  bornFrom: null,
  bornBefore: null,
};

const toPatientResource = async ({ deps, actor }: Asking, row: PatientRow): Promise<Resource> => {
  const isShown = isClinic(actor) || row.id === actor.userId;
  const open = async (sealed: string | null) => (isShown ? openNumber(deps, sealed) : null);
  const [nationalId, insuranceNumber] = await Promise.all([open(row.nationalId), open(row.insuranceNumber)]);
  const email = row.email ?? row.accountEmail;
  return resources.toPatient(baseUrl(deps), { ...row, email }, { nationalId, insuranceNumber });
};

/** Patients by their ids, as far as the caller may see them. */
export const patientsByIds = async (asking: Asking, ids: readonly string[]): Promise<Resource[]> => {
  const { deps, actor } = asking;
  const values = { ...anyPatients, ...whose(actor), ids: listed(ids), afterId: '', limit: 500 };
  const rows = await run(deps.db, patientsFound.ids.page(deps.db, values));
  return Promise.all(rows.map((row) => toPatientResource(asking, row)));
};

/** The patients with any of these identifiers, as far as the caller may know them; a doctor finds none by a number. */
export const patientIdsByIdentifiers = async (
  asking: Asking,
  values: readonly string[],
): Promise<string[]> => {
  const { deps, actor } = asking;
  const named = resources.systems(baseUrl(deps));
  const of = (system: string) =>
    values
      .map(tokenIn)
      .filter((token) => token.value !== '' && (token.system === null || token.system === system))
      .map(({ value }) => value);
  const hashes = async (kind: 'national_id' | 'insurance_number', system: string) =>
    actor.role === 'doctor'
      ? []
      : (await Promise.all(of(system).map((value) => deriveHashes(deps, kind, value)))).flat();
  const rows = await run(
    deps.db,
    patientsFound.numbers.page(deps.db, {
      ...anyPatients,
      ...whose(actor),
      nationalIds: listed(await hashes('national_id', named.nationalId)),
      insuranceNumbers: listed(await hashes('insurance_number', named.insuranceNumber)),
      recordNumbers: listed(of(named.recordNumber).map((value) => value.toUpperCase())),
      afterId: '',
      limit: 100,
    }),
  );
  return rows.map(({ id }) => id);
};

/**
 * The same search with the patients' ids in place of their identifiers, also in what links name: a number is in no
 * address.
 */
export const withoutIdentifiers = async (
  asking: Asking,
  search: Search,
  name: 'identifier' | 'patient.identifier',
): Promise<Search> => {
  const filters = await Promise.all(
    search.filters.map(async (filter) => {
      if (filter.name !== name) return filter;
      const values = await patientIdsByIdentifiers(asking, filter.values);
      const isOfPatients = name === 'identifier';
      return {
        name: isOfPatients ? '_id' : 'patient',
        kind: isOfPatients ? 'token' : 'reference',
        values,
      } as const;
    }),
  );
  const known = filters.filter((filter, at) => filter !== search.filters[at]);
  const used = search.used.filter(([key]) => !key.replace(':Patient', '').startsWith(name));
  return {
    ...search,
    filters,
    used: [...used, ...known.map((one): [string, string] => [one.name, one.values.join() || 'none'])],
  };
};

/** The beginnings of words that a record has to have: any of these lists, each of them whole. */
const sought = ({ filters }: Search): string[][][] | null => {
  const named = filters.filter(({ name }) => name === 'name' || name === 'phone');
  if (named.length === 0) return null;
  return named.reduce<string[][][]>(
    (lists, { values }) =>
      lists.flatMap((terms) =>
        values.map((value) => [
          ...terms,
          ...(JSON.parse(soughtIn(tokenIn(value).value).terms) as string[][]),
        ]),
      ),
    [[]],
  );
};

const searchPatients = async (asking: Asking, search: Search, [after = '']: Position): Promise<FoundPage> => {
  const { deps, actor, now } = asking;
  const { clinicTime } = deps;
  const words = sought(search);
  const ids = valuesOf(search, ['_id'], (id) => id);
  const born = spansOf(search, 'birthdate', clinicTime, now)?.map(([from, to]) => [
    from < -6e13 ? '' : clinicTime.dateOf(from),
    to > 2.5e14 ? '9999-99' : clinicTime.dateOf(to),
  ]);
  const values = {
    ...anyPatients,
    ...whose(actor),
    ids: listed(ids),
    starts: listed(words?.flatMap((terms) => terms[0] ?? [])),
    terms: listed(words),
    genders: listed(valuesOf(search, ['gender'], lowerToken)),
    born: listed(born),
    bornFrom: born?.[0]?.[0] ?? '',
    bornBefore: born?.at(-1)?.[1] ?? '',
  };
  const ways: readonly [PatientWay, boolean][] = [
    ['ids', ids !== null],
    ['own', !isClinic(actor)],
    ['words', words !== null],
    ['born', born !== undefined],
  ];
  const way = ways.find(([, isNamed]) => isNamed)?.[0];
  const rows = await run(
    deps.db,
    patientsFound[way ?? 'all'].page(deps.db, { ...values, afterId: String(after), limit: search.count + 1 }),
  );
  const shown = rows.slice(0, search.count);
  const matches = await Promise.all(shown.map((row) => toPatientResource(asking, row)));
  const next = nextAfter(rows, shown, ({ id }) => [id]);
  // All patients of a clinic are not counted for a page of them.
  if (way === undefined) return { matches, next, ...(search.count === 0 && { isTooWide: true }) };
  const [counted] = await run(deps.db, patientsFound[way].total(deps.db, values));
  return { matches, next, total: counted?.total ?? 0 };
};

const everBefore = 8.64e15;

/** The days of the slots that are named, and those around them, as a clinic may be moving to another zone; null if none is. */
const slotDays = (
  { deps: { clinicTime } }: Asking,
  slots: readonly { date: string }[] = [],
): Span[] | null =>
  slots.length === 0
    ? null
    : slots
        .map(({ date }) => clinicTime.startOf(date))
        .sort((a, b) => a - b)
        .map((start): Span => [start - dayMs, start + 2 * dayMs]);

/** From the beginning of the first to the end of the last. */
const rangeOf = (spans: readonly Span[] | null) => ({
  from: spans === null ? -everBefore : (spans[0]?.[0] ?? 0),
  before: spans === null ? everBefore : (spans.at(-1)?.[1] ?? 0),
});

/** The values of a search of Appointments, and what narrows it most; no way if it names too little. */
const appointmentFilters = (asking: Asking, search: Search) => {
  const { deps, now, actor } = asking;
  const base = baseUrl(deps);
  const actors = (type: TypeName, name?: string) => {
    const both = [actorIds(search, 'actor', type, base)];
    if (name !== undefined) both.push(valuesOf(search, [name], (value) => idIn(value, type, base)));
    return both.reduce((a, b) => (a === null || b === null ? (a ?? b) : a.filter((id) => b.includes(id))));
  };
  const codes = valuesOf(search, ['identifier'], (text) => {
    const { system, value } = tokenIn(text);
    return system === null || system === resources.systems(base).bookingCode
      ? value.toUpperCase()
      : undefined;
  });
  const slots = valuesOf(search, ['slot'], (value) => idIn(value, 'Slot', base))
    ?.map((id) => resources.slotIdParts(id))
    .filter((parts) => parts !== undefined);
  const spans = spansOf(search, 'date', deps.clinicTime, now);
  const isElsewhere = (actors('Location', 'location') ?? ['clinic']).every((id) => id !== 'clinic');
  const ids = isElsewhere ? [] : valuesOf(search, ['_id'], (id) => id);
  const patientIds = actors('Patient', 'patient');
  const doctorIds = actors('Practitioner', 'practitioner') ?? slots?.map(({ doctorId }) => doctorId) ?? null;
  const own = actor.role === 'doctor' && doctorIds === null ? [actor.doctorId] : doctorIds;
  const values = {
    ...whose(actor),
    ids: listed(ids),
    codes: listed(codes),
    patientIds: listed(patientIds),
    doctorIds: listed(patientIds === null ? own : doctorIds),
    sessionIds: listed(actors('HealthcareService')),
    serviceTypes: listed(valuesOf(search, ['service-type'], lowerToken)),
    specialties: listed(valuesOf(search, [practiceName], lowerToken)),
    statuses: listed(valuesOf(search, ['status'], lowerToken)),
    slots: listed(
      slots?.map(
        ({ doctorId, date, minuteOfDay }) =>
          `${doctorId} ${date} ${new Date(minuteOfDay * 60_000).toISOString().slice(11, 16)}`,
      ),
    ),
    spans: listed(spans),
    ...rangeOf(spans ?? slotDays(asking, slots)),
  };
  const ways: readonly [AppointmentWay, boolean][] = [
    ['ids', ids !== null],
    ['codes', codes !== null],
    ['patients', patientIds !== null],
    ['own', actor.role === 'patient'],
    ['doctors', own !== null],
    ['dates', spans !== null],
  ];
  return { values, way: ways.find(([, isNamed]) => isNamed)?.[0] };
};

const searchAppointments = async (asking: Asking, search: Search, after: Position): Promise<FoundPage> => {
  const { deps } = asking;
  const { values, way } = appointmentFilters(asking, search);
  if (way === undefined) return { matches: [], total: 0, next: null, isTooWide: true };
  const [afterStart = -everBefore, afterId = ''] = after;
  const { page, total } = appointments[way];
  const {
    rows,
    totals: [counted],
  } = await runAll(deps.db, {
    rows: page(deps.db, { ...values, afterStart, afterId, limit: search.count + 1 }),
    totals: total(deps.db, values),
  });
  const own = { rows, total: counted?.total ?? 0 };
  const position = { afterStart: Number(afterStart), afterId: String(afterId), limit: search.count + 1 };
  const found = await withArchived(asking, way, { ...values, ...position }, own);
  const shown = found.rows.slice(0, search.count);
  return {
    matches: shown.map((row) => resources.toAppointment(baseUrl(deps), row)),
    ...(found.total !== undefined && { total: found.total }),
    next: nextAfter(found.rows, shown, ({ startsAt, id }) => [startsAt, id]),
  };
};

/** One page of what a search finds; slots are found elsewhere, since their reads come with the caller's. */
export const searchPage = (
  asking: Asking,
  type: Exclude<TypeName, 'Slot'>,
  search: Search,
  after: Position,
): Promise<FoundPage> => {
  if (isCatalog(type)) return searchCatalog(asking, type, search, after);
  return type === 'Patient'
    ? searchPatients(asking, search, after)
    : searchAppointments(asking, search, after);
};

const maxSteps = 4;

/** The resources that includes add to these matches, each once; those that the caller may not see stay out. */
export const findIncluded = async (
  asking: Asking,
  includes: readonly Include[],
  matches: readonly Resource[],
): Promise<Resource[]> => {
  const known = new Set(matches.map(({ resourceType, id }) => `${resourceType}/${id}`));
  const added: Resource[] = [];
  let from: readonly Resource[] = matches;
  for (let step = 0; step < maxSteps && from.length > 0; step += 1) {
    const wanted = includes
      .filter(({ isIterated }) => isIterated || step === 0)
      .flatMap(({ of, param, target }) =>
        from
          .filter(({ resourceType }) => resourceType === of)
          .flatMap((one) => (includesOf(of)[param] ?? []).flatMap((path) => valuesAt(one, path)))
          .filter((reference) => target === undefined || String(reference).startsWith(`${target}/`)),
      )
      .map(String)
      .filter((reference) => !known.has(reference));
    for (const reference of wanted) known.add(reference);
    const byType = Map.groupBy(new Set(wanted), (reference) => reference.split('/')[0] as TypeName);
    const loaded = await Promise.all(
      [...byType].map(([type, references]) => {
        const ids = references.map((reference) => reference.slice(type.length + 1));
        if (type === 'Patient') return patientsByIds(asking, ids);
        return isCatalog(type) ? loaders[type](asking, JSON.stringify(ids)) : [];
      }),
    );
    from = loaded.flat();
    added.push(...from);
  }
  return added;
};
