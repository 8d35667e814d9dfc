import { run } from '../../core/db/db.ts';
import { soughtIn } from '../../core/search/rules.ts';
import { deriveHashes, openNumber } from '../patients/numbers/numbers.ts';
import { baseUrl } from './base.ts';
import { type Asking, type FoundPage, isClinic, listed, nextAfter, type Position, whose } from './found.ts';
import { type PatientRow, type PatientWay, patientsFound } from './queries.ts';
import * as resources from './resources.ts';
import { refuseParam, type Search, spansOf, tokenIn, valuesOf } from './search.ts';
import { lowerToken } from './slots.ts';
import type { Resource } from './types.ts';

const anyPatients = {
  ids: null,
  nationalIds: null,
  insuranceNumbers: null,
  recordNumbers: null,
  ihsIds: null,
  afterAt: 0,
  starts: null,
  terms: null,
  genders: null,
  born: null,
  bornFrom: null,
  bornBefore: null,
  changed: null,
  changedFrom: null,
  changedBefore: null,
  having: null,
};

const toPatientResource = async ({ deps, actor }: Asking, row: PatientRow): Promise<Resource> => {
  const isShown = isClinic(actor) || row.id === actor.userId;
  const open = async (sealed: string | null) => (isShown ? openNumber(deps, sealed) : null);
  const [nationalId, insuranceNumber] = await Promise.all([open(row.nationalId), open(row.insuranceNumber)]);
  const email = row.email ?? row.accountEmail;
  return resources.toPatient(
    baseUrl(deps),
    { ...row, email },
    {
      nationalId,
      insuranceNumber,
      ihsId: isShown ? row.ihsId : null,
    },
  );
};

/** Patients by their ids, as far as the caller may see them. */
export const patientsByIds = async (asking: Asking, ids: readonly string[]): Promise<Resource[]> => {
  const { deps, actor } = asking;
  const values = { ...anyPatients, ...whose(actor), ids: listed(ids), afterId: '', limit: 500 };
  const rows = await run(deps.db, patientsFound.ids._id(deps.db, values));
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
    patientsFound.numbers._id(deps.db, {
      ...anyPatients,
      ...whose(actor),
      nationalIds: listed(await hashes('national_id', named.nationalId)),
      insuranceNumbers: listed(await hashes('insurance_number', named.insuranceNumber)),
      recordNumbers: listed(of(named.recordNumber).map((value) => value.toUpperCase())),
      ihsIds: listed(actor.role === 'doctor' ? [] : of(named.ihsId)),
      afterId: '',
      limit: 100,
    }),
  );
  return rows.map(({ id }) => id);
};

/** Whether it is any value of a system that is sought, as `system|` says it, which is of use for patients alone. */
const isAnyOfSystems = (values: readonly string[], name: string): boolean => {
  const systems = values.filter((value) => value.endsWith('|'));
  if (systems.length === 0) return false;
  if (systems.length < values.length || name !== 'identifier') throw refuseParam(name);
  return true;
};

/** The kinds of numbers of which a record has to have any, for each `identifier=system|`; a doctor knows the record number alone. */
const kindsOf = ({ deps, actor }: Asking, { filters }: Search): string[][] =>
  filters
    .filter(({ name }) => name === 'identifier')
    .map(({ values }) =>
      Object.entries(resources.systems(baseUrl(deps))).flatMap(([kind, system]) =>
        values.includes(`${system}|`) && (actor.role !== 'doctor' || kind === 'recordNumber') ? [kind] : [],
      ),
    );

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
      if (filter.name !== name || isAnyOfSystems(filter.values, name)) return filter;
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
  const used = search.used.filter(
    ([key, value]) => !key.replaceAll(/:\w+/g, '').startsWith(name) || /^[^|]+\|(,|$)/.test(value),
  );
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

export const searchPatients = async (asking: Asking, search: Search, after: Position): Promise<FoundPage> => {
  const { deps, actor, now } = asking;
  const { by, isFalling } = search.sort ?? { by: '_id', isFalling: false };
  const [afterId = isFalling ? '\uffff' : '', afterAt = isFalling ? 8.64e15 : -1] = after;
  const { clinicTime } = deps;
  const words = sought(search);
  const ids = valuesOf(search, ['_id'], (id) => id);
  const born = spansOf(search, 'birthdate', clinicTime, now)?.map(([from, to]) => [
    from < -6e13 ? '' : clinicTime.dateOf(from),
    to > 2.5e14 ? '9999-99' : clinicTime.dateOf(to),
  ]);
  const changed = spansOf(search, '_lastUpdated', clinicTime, now);
  const values = {
    ...anyPatients,
    ...whose(actor),
    ids: listed(ids),
    having: listed(kindsOf(asking, search)),
    changed: listed(changed),
    changedFrom: changed?.[0]?.[0] ?? 0,
    changedBefore: changed?.at(-1)?.[1] ?? 0,
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
    ['changed', changed !== null],
  ];
  const way = ways.find(([, isNamed]) => isNamed)?.[0];
  const page = patientsFound[way ?? 'all'][`${isFalling ? '-' : ''}${by as '_id' | '_lastUpdated'}`];
  const rows = await run(deps.db, page(deps.db, { ...values, afterAt, afterId, limit: search.count + 1 }));
  const shown = rows.slice(0, search.count);
  const matches = await Promise.all(shown.map((row) => toPatientResource(asking, row)));
  const next = nextAfter(rows, shown, ({ id, updatedAt }) => [id, updatedAt]);
  // All patients of a clinic are not counted for a page of them.
  if (way === undefined) return { matches, next, ...(search.count === 0 && { isTooWide: true }) };
  const [counted] = await run(deps.db, patientsFound[way].total(deps.db, values));
  return { matches, next, total: counted?.total ?? 0 };
};
