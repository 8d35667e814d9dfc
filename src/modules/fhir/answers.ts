import * as z from 'zod/mini';
import { run } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import { once } from '../../core/endpoint/once.ts';
import { decodeCursor, encodeCursor } from '../../core/http/cursor.ts';
import { bareCursor, openCursor, signCursor } from '../../core/http/signed-cursor.ts';
import type { AnyContext } from '../auth/context.ts';
import { baseUrl, fhirPath } from './base.ts';
import { notes, toBundle } from './bundle.ts';
import { findIncluded, searchPage } from './find.ts';
import { withoutIdentifiers } from './find-patients.ts';
import { type FoundPage, nextAfter, type Position, rowsAfter } from './found.ts';
import { practiceName, readPractice } from './practice.ts';
import { findDoctors } from './queries.ts';
import { type FoundSlot, toProposed, toSlot } from './resources.ts';
import { countIn, coveredBy, idIn, maxCount, parseSearch, refuseParam, type Search } from './search.ts';
import {
  findSlots,
  lowerToken,
  type SlotRows,
  searchedDates,
  slotReads,
  type WantedSlots,
  wantedSlots,
} from './slots.ts';
import type { TypeName } from './types.ts';

type Entries = readonly (readonly [name: string, value: string])[];
type Searching = Pick<AnyContext, 'deps' | 'now' | 'actor' | 'header' | 'language'>;
type Input = { query: object; body?: object | undefined };

const cursorShape = once(() => z.array(z.union([z.string(), z.number()])));

const findPath = 'Appointment/$find';

/** The list whose pages a cursor goes on with, as its signature has it. */
const listOf = (path: TypeName | typeof findPath): string => `${fhirPath}/${path}`;

/** A cursor has the search's parameters, after their number, and the position. */
const toCursor = (
  { tokenKeys }: Deps,
  path: Parameters<typeof listOf>[0],
  used: Entries,
  position: Position,
): Promise<string> =>
  signCursor(tokenKeys, listOf(path), encodeCursor([used.length, ...used.flat(), ...position]));

const fromCursor = (text: string): { given: Entries; after: Position } => {
  const [count = 0, ...values] = decodeCursor(bareCursor(text), cursorShape);
  const named = values.slice(0, 2 * Number(count)).map(String);
  const given = named.flatMap((name, at) => (at % 2 === 0 ? [[name, named[at + 1] ?? ''] as const] : []));
  return { given, after: values.slice(2 * Number(count)) };
};

/** The parameters of a search, in its address and in its form. */
const listEntries = ({ query, body = {} }: Input): Entries =>
  [query, body].flatMap((part) =>
    Object.entries(part).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, String(one)]),
    ),
  );

const pageIn = (given: Entries): string | undefined => given.find(([name]) => name === '_page')?.[1];

/** The same, where those of a page replace them. */
const entriesIn = (given: Entries): { given: Entries; after: Position } => {
  const page = pageIn(given);
  return page === undefined ? { given, after: [] } : fromCursor(page);
};

/** Throws `invalid_query` for a page that this clinic did not make for a search of this type. */
const assertPage = async (
  { tokenKeys }: Deps,
  path: Parameters<typeof listOf>[0],
  given: Entries,
): Promise<void> => {
  const page = pageIn(given);
  if (page !== undefined) await openCursor(tokenKeys, listOf(path), page);
};

const isStrict = (header: (name: string) => string | undefined): boolean =>
  /\bhandling\s*=\s*strict\b/.test(header('prefer') ?? '');

const searchIn = (type: TypeName, input: Input, header: (name: string) => string | undefined) => {
  const { given, after } = entriesIn(listEntries(input));
  return { search: parseSearch(type, given, isStrict(header)), after };
};

/** The reads of a search of slots, in the same round trip as the caller; a page is proved before the answer. */
export const slotSearchReads = ({ deps, now, header }: Omit<Searching, 'actor' | 'language'>, input: Input) =>
  slotReads(deps, wantedSlots(deps, now, searchIn('Slot', input, header).search));

const placeOf = ({ slot, doctorId }: FoundSlot): Position => [slot.startsAt, doctorId];

const slotPage = (
  { deps, now, actor }: Searching,
  search: Search,
  after: Position,
  rows: SlotRows,
): FoundPage & { isCut: boolean } => {
  const wanted = wantedSlots(deps, now, search);
  const found = findSlots(deps, now, actor, wanted, rows);
  const isFalling = search.sort?.isFalling === true;
  const left = rowsAfter(isFalling ? found.toReversed() : found, placeOf, after, isFalling);
  const shown = left.slice(0, search.count);
  return {
    matches: shown.map((one) => toSlot(baseUrl(deps), one)),
    total: found.length,
    next: nextAfter(left, shown, placeOf),
    isCut: wanted.isCut,
  };
};

const identifierOf: Partial<Record<TypeName, 'identifier' | 'patient.identifier'>> = {
  Patient: 'identifier',
  Appointment: 'patient.identifier',
};

const bundleOf = async (
  asking: Searching,
  type: TypeName,
  search: Search,
  page: FoundPage & { isCut?: boolean },
) => {
  const base = baseUrl(asking.deps);
  const query = new URLSearchParams(search.used.map(([name, value]) => [name, value]));
  const cursor = page.next && (await toCursor(asking.deps, type, search.used, page.next));
  return toBundle(base, asking.language, {
    matches: page.matches,
    included: await findIncluded(asking, search.includes, page.matches),
    ...(page.total !== undefined && { total: page.total }),
    self: `${base}/${type}${query.size > 0 ? `?${query}` : ''}`,
    next: cursor && `${base}/${type}?_page=${cursor}`,
    notes: [
      ...(page.isTooWide ? [type === 'Patient' ? notes.allPatients : notes.tooWide] : []),
      ...(page.isCut ? [notes.isCut] : []),
    ],
  });
};

/** A page of Slots; `rows` are what `slotSearchReads` read. */
export const slotBundle = async (asking: Searching, input: Input, rows: SlotRows) => {
  await assertPage(asking.deps, 'Slot', listEntries(input));
  const { search, after } = searchIn('Slot', input, asking.header);
  return bundleOf(asking, 'Slot', search, slotPage(asking, search, after, rows));
};

/** A page of any other type. */
export const searchBundle = async (asking: Searching, type: Exclude<TypeName, 'Slot'>, input: Input) => {
  await assertPage(asking.deps, type, listEntries(input));
  const { search: given, after } = searchIn(type, input, asking.header);
  const name = identifierOf[type];
  const isByIdentifier = given.filters.some((filter) => filter.name === name);
  const search =
    name === undefined || !isByIdentifier ? given : await withoutIdentifiers(asking, given, name);
  return bundleOf(asking, type, search, await searchPage(asking, type, search, after));
};

interface Parameter {
  name?: unknown;
  [value: string]: unknown;
}

/** A value as the text of a search: each code of a concept, or its text; empty of an identifier alone. */
const textsOf = (value: unknown): string[] => {
  if (typeof value !== 'object') return [String(value)];
  const { reference, code, coding, text } = (value ?? {}) as Record<string, unknown>;
  const named = [reference, code, text].filter((one) => typeof one === 'string');
  const texts = [...named, ...(Array.isArray(coding) ? coding.flatMap(textsOf) : [])];
  return texts.length > 0 ? texts : [''];
};

/** The parameters of an operation as a search has them. */
const parametersOf = ({ parameter }: { parameter?: unknown }): Entries =>
  (Array.isArray(parameter) ? (parameter as (Parameter | null)[]) : []).flatMap((one) => {
    const [, value] = Object.entries(one ?? {}).find(([key]) => key.startsWith('value')) ?? [];
    const texts = value === undefined ? [] : textsOf(value);
    return texts.map((text): [string, string] => [String(one?.name), text]);
  });

/** What `$find` looks at; its links have nothing else, such as a patient. */
const usedByFind = [
  ...['start', 'end', '_count', 'practitioner', 'organization', 'location-reference', 'visit-type'],
  practiceName,
];

const findEntries = ({ query, body = {} }: Input): Entries => [
  ...parametersOf(body),
  ...listEntries({ query }),
];

const wantedByFind = ({ deps, now }: Pick<Searching, 'deps' | 'now'>, given: Entries) => {
  const base = baseUrl(deps);
  const valuesOf = (name: string) => given.filter(([key]) => key === name).map(([, value]) => value);
  const orNull = (values: (string | undefined)[]) =>
    values.length === 0 ? null : values.filter((value) => value !== undefined);
  const instant = (name: 'start' | 'end') => {
    const [text] = valuesOf(name);
    if (text === undefined) throw refuseParam(name, 'required');
    const covered = coveredBy(text, deps.clinicTime);
    if (covered === undefined) throw refuseParam(name, 'date');
    // A date as the end of a period has its whole day (R4, Period).
    return covered[name === 'end' && !text.includes('T') ? 1 : 0];
  };
  const spans = [[instant('start'), instant('end')] as const];
  const doctorIds = orNull(
    valuesOf('practitioner').map(
      (value) => idIn(value, 'Practitioner', base) ?? idIn(value, 'PractitionerRole', base),
    ),
  );
  const places = [...valuesOf('organization'), ...valuesOf('location-reference')];
  const isElsewhere = places.length > 0 && places.every((place) => !place.endsWith('/clinic'));
  const specialties = orNull(valuesOf(practiceName).map(lowerToken));
  const wanted: WantedSlots = {
    ids: null,
    doctorIds: isElsewhere ? [] : doctorIds,
    scheduleIds: null,
    sessionIds: null,
    serviceTypes: orNull(valuesOf('visit-type').map(lowerToken)),
    statuses: ['free'],
    spans,
    ...searchedDates(deps, now, spans, doctorIds === null ? 7 : 31),
  };
  return { wanted, specialties, count: countIn(valuesOf('_count')[0] ?? String(maxCount)) };
};

/** The reads of `$find`, in the same round trip as the caller; a page is proved before the answer. */
export const findReads = (asking: Pick<Searching, 'deps' | 'now'>, input: Input) =>
  slotReads(asking.deps, wantedByFind(asking, entriesIn(findEntries(input)).given).wanted);

/** The Appointments that can be made: nothing is stored, their ids are those of their slots. */
export const findBundle = async (asking: Searching, input: Input, rows: SlotRows) => {
  const { deps, now, actor, language } = asking;
  await assertPage(deps, findPath, findEntries(input));
  const { given, after } = entriesIn(findEntries(input));
  const { wanted, specialties, count } = wantedByFind(asking, given);
  const slots = findSlots(deps, now, actor, wanted, rows);
  const ids = JSON.stringify([...new Set(slots.map(({ doctorId }) => doctorId))]);
  const doctors = new Map((await run(deps.db, findDoctors(deps.db, ids))).map((row) => [row.id, row]));
  const found = slots.filter(
    ({ doctorId }) =>
      specialties === null || specialties.includes(readPractice(doctors.get(doctorId)).toLowerCase()),
  );
  const left = rowsAfter(found, placeOf, after);
  const shown = left.slice(0, count);
  const used = given.filter(([name]) => usedByFind.includes(name));
  const next = nextAfter(left, shown, placeOf);
  const base = baseUrl(deps);
  return toBundle(base, language, {
    matches: shown.map((one) => toProposed(one, doctors.get(one.doctorId))),
    total: found.length,
    self: `${base}/${findPath}?${new URLSearchParams(used.map(([name, value]) => [name, value]))}`,
    next: next && `${base}/${findPath}?_page=${await toCursor(deps, findPath, used, next)}`,
    notes: wanted.isCut ? [notes.isCut] : [],
  });
};
