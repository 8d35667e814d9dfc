import { dayMs } from '../../core/clinic/durations.ts';
import { runAll } from '../../core/db/db.ts';
import { withArchived } from './archived.ts';
import { baseUrl } from './base.ts';
import { type Asking, type FoundPage, listed, nextAfter, type Position, whose } from './found.ts';
import { practiceName } from './practice.ts';
import { type AppointmentWay, appointments } from './queries.ts';
import * as resources from './resources.ts';
import { idIn, type Search, type Span, spansOf, tokenIn, valuesOf } from './search.ts';
import { actorIds, lowerToken, namesOthers } from './slots.ts';
import type { TypeName } from './types.ts';

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
  const codeSystem = resources.systems(base).bookingCode;
  // Each has a code: any value of the system fits all.
  const filters = search.filters.filter(
    ({ name, values }) => name !== 'identifier' || !values.includes(`${codeSystem}|`),
  );
  const codes = valuesOf({ filters }, ['identifier'], (text) => {
    const { system, value } = tokenIn(text);
    return system === null || system === codeSystem ? value.toUpperCase() : undefined;
  });
  const slots = valuesOf(search, ['slot'], (value) => idIn(value, 'Slot', base))
    ?.map((id) => resources.slotIdParts(id))
    .filter((parts) => parts !== undefined);
  const spans = spansOf(search, 'date', deps.clinicTime, now);
  const isElsewhere =
    (actors('Location', 'location') ?? ['clinic']).every((id) => id !== 'clinic') ||
    namesOthers(search, 'actor', ['Patient', 'Practitioner', 'HealthcareService', 'Location']);
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
    changed: listed(spansOf(search, '_lastUpdated', deps.clinicTime, now)),
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

export const searchAppointments = async (
  asking: Asking,
  search: Search,
  after: Position,
): Promise<FoundPage> => {
  const { deps } = asking;
  const { values, way } = appointmentFilters(asking, search);
  if (way === undefined) return { matches: [], total: 0, next: null, isTooWide: true };
  const isFalling = search.sort?.isFalling === true;
  const [afterStart = isFalling ? everBefore : -everBefore, afterId = ''] = after;
  const { total, pages } = appointments[way];
  const {
    rows,
    totals: [counted],
  } = await runAll(deps.db, {
    rows: pages[isFalling ? 1 : 0](deps.db, { ...values, afterStart, afterId, limit: search.count + 1 }),
    totals: total(deps.db, values),
  });
  const own = { rows, total: counted?.total ?? 0 };
  const position = { afterStart: Number(afterStart), afterId: String(afterId), limit: search.count + 1 };
  const found = await withArchived(asking, way, { ...values, ...position }, own, isFalling);
  const shown = found.rows.slice(0, search.count);
  return {
    matches: shown.map((row) => resources.toAppointment(baseUrl(deps), row)),
    ...(found.total !== undefined && { total: found.total }),
    next: nextAfter(found.rows, shown, ({ startsAt, id }) => [startsAt, id]),
  };
};
