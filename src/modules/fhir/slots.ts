import type { Deps } from '../../core/deps.ts';
import type { ClosedReason } from '../../core/tables/words.ts';
import type { AnyActor } from '../auth/context.ts';
import { calendarsIn, computeSpan, groupBy } from '../catalog/slots/many.ts';
import {
  closedBecause,
  isValidOn,
  remainingSeats,
  slotsOfSchedule,
  windowFor,
} from '../catalog/slots/rules.ts';
import { datesBetween, longestRangeDays } from '../catalog/slots/slots.ts';
import { baseUrl } from './base.ts';
import { slotCalendars } from './queries.ts';
import { type FoundSlot, slotId, slotIdParts } from './resources.ts';
import { idIn, most, refuseParam, type Search, type Span, spansOf, tokenIn, valuesOf } from './search.ts';
import type { TypeName } from './types.ts';

/** Which slots are sought; null of what does not narrow them. */
export interface WantedSlots {
  ids: readonly string[] | null;
  doctorIds: readonly string[] | null;
  scheduleIds: readonly string[] | null;
  sessionIds: readonly string[] | null;
  /** Ids or names of sessions, in lower case. */
  serviceTypes: readonly string[] | null;
  statuses: readonly string[] | null;
  spans: readonly Span[];
  dates: readonly string[];
  /** Whether more dates were asked for than are searched. */
  isCut: boolean;
}

const earliest = Date.UTC(1900, 0, 1);
const latest = Date.UTC(9999, 10, 30);
/** How many days are searched if no doctor is named. */
const daysOfAll = 7;

/** The dates that are searched: from the first that is asked for, or today; seven unless an end is named. */
export const searchedDates = (
  deps: Deps,
  now: number,
  spans: readonly Span[],
  maxDays: number,
): Pick<WantedSlots, 'dates' | 'isCut'> => {
  const { clinicTime } = deps;
  const [first, last] = [spans[0], spans.at(-1)];
  const none = { dates: [], isCut: false };
  if (first === undefined || last === undefined) return none;
  const from = first[0] < earliest ? clinicTime.startOf(clinicTime.dateOf(now)) : first[0];
  const to = Math.min(last[1], latest);
  if (from >= to || from > latest) return none;
  const [fromDate, toDate] = [clinicTime.dateOf(from), clinicTime.dateOf(to - 1)];
  const lastDate = clinicTime.addDays(fromDate, (last[1] === most ? daysOfAll : maxDays) - 1);
  const isCut = toDate > lastDate;
  return { dates: datesBetween(deps, fromDate, isCut ? lastDate : toDate), isCut };
};

const actorType = ({ name, values }: Search['filters'][number]): string => {
  const [type, ...others] = new Set(values.map((value) => /(\w+)\/[^/]+$/.exec(value)?.[1]));
  if (type === undefined || others.length > 0) throw refuseParam(name);
  return type;
};

/**
 * The ids of actors of one type that a parameter such as `actor=Practitioner/1` names; null if none does. Each
 * parameter names actors of one type, since these narrow a search together.
 */
export const actorIds = (
  { filters }: Pick<Search, 'filters'>,
  name: string,
  type: TypeName,
  base: string,
): string[] | null => {
  const ofType = filters.filter((filter) => filter.name === name && actorType(filter) === type);
  return valuesOf({ filters: ofType }, [name], (value) => idIn(value, type, base));
};

/** Whether a parameter names actors of a type that none of the resources has. */
export const namesOthers = ({ filters }: Search, name: string, types: readonly TypeName[]): boolean =>
  filters.some((filter) => filter.name === name && !types.some((type) => type === actorType(filter)));

/** A token's value as service types are compared. */
export const lowerToken = (text: string): string => tokenIn(text).value.toLowerCase();

export const wantedSlots = (deps: Deps, now: number, search: Search): WantedSlots => {
  const base = baseUrl(deps);
  const actors = (type: TypeName) => actorIds(search, 'schedule.actor', type, base);
  const ids = valuesOf(search, ['_id'], (id) => (slotIdParts(id) === undefined ? undefined : id));
  const named = ids?.map((id) => slotIdParts(id)).filter((parts) => parts !== undefined);
  const ofActors = actors('Practitioner');
  const doctorIds =
    named?.map(({ doctorId }) => doctorId).filter((id) => ofActors === null || ofActors.includes(id)) ??
    ofActors;
  const scheduleIds = valuesOf(search, ['schedule'], (value) => idIn(value, 'Schedule', base));
  const ofIds = named?.map(({ date }) => date).sort() ?? [];
  const today = deps.clinicTime.dateOf(now);
  const spans = spansOf(search, 'start', deps.clinicTime, now) ?? [
    [
      deps.clinicTime.startOf(ofIds[0] ?? today),
      named === undefined ? most : deps.clinicTime.startOf(deps.clinicTime.addDays(ofIds.at(-1) ?? today, 1)),
    ] as const,
  ];
  const isElsewhere =
    (actors('Location') ?? ['clinic']).every((id) => id !== 'clinic') ||
    namesOthers(search, 'schedule.actor', ['Practitioner', 'HealthcareService', 'Location']);
  const isNarrow = doctorIds !== null || scheduleIds !== null;
  return {
    ids,
    doctorIds: isElsewhere ? [] : doctorIds,
    scheduleIds,
    sessionIds: actors('HealthcareService'),
    serviceTypes: valuesOf(search, ['service-type'], lowerToken),
    statuses: valuesOf(search, ['status'], lowerToken),
    spans,
    ...searchedDates(deps, now, spans, isNarrow ? longestRangeDays : daysOfAll),
  };
};

/** The reads that decide about these slots: as many as for the listing of one doctor. */
export const slotReads = (deps: Deps, { doctorIds, scheduleIds, dates }: WantedSlots) => {
  const [fromDate = '1970-01-01', toDate = fromDate] = [dates[0], dates.at(-1)];
  const span = computeSpan(deps, fromDate, toDate);
  const { doctors, schedules, all } = slotCalendars;
  if (dates.length === 0) return doctors(deps.db, { ids: '[]' }, span);
  if (scheduleIds !== null) return schedules(deps.db, { ids: JSON.stringify(scheduleIds) }, span);
  return doctorIds === null
    ? all(deps.db, {}, span)
    : doctors(deps.db, { ids: JSON.stringify(doctorIds) }, span);
};

export type SlotRows = ReturnType<ReturnType<typeof slotReads>['toResult']>;

/** Whether there is no list, or it has the value. */
const fits = (list: readonly string[] | null, value: string): boolean =>
  list === null || list.includes(value);

/** A full slot is `busy-tentative` while only holds make it so: they end within minutes. */
const slotStatus = (reason: ClosedReason | null, isHeld: () => boolean): string => {
  if (reason === null) return 'free';
  if (reason !== 'full') return 'busy-unavailable';
  return isHeld() ? 'busy-tentative' : 'busy';
};

/** The slots, as this caller may book them, by their start. */
export const findSlots = (
  deps: Deps,
  now: number,
  actor: AnyActor,
  wanted: WantedSlots,
  rows: SlotRows,
): FoundSlot[] => {
  const { clinicTime } = deps;
  const { rules, findCalendar } = calendarsIn(deps, rows);
  const booked = groupBy(rows.booked);
  const byDoctor = Map.groupBy(rows.schedules, ({ doctorId }) => doctorId);
  const { ids, doctorIds, scheduleIds, sessionIds, serviceTypes, statuses, spans, dates } = wanted;
  const found = [...byDoctor].flatMap(([doctorId, schedules]) => {
    if (!fits(doctorIds, doctorId)) return [];
    const calendar = findCalendar(doctorId);
    const window = windowFor(doctorId, actor, rules);
    const sought = schedules.filter(
      ({ id, sessionId, sessionName }) =>
        fits(scheduleIds, id) &&
        fits(sessionIds, sessionId) &&
        (fits(serviceTypes, sessionId) || fits(serviceTypes, sessionName.toLowerCase())),
    );
    return dates.flatMap((date) => {
      const weekday = clinicTime.weekdayOf(date);
      return sought
        .filter((schedule) => schedule.weekday === weekday && isValidOn(schedule, date))
        .flatMap((schedule) =>
          slotsOfSchedule(schedule, date, clinicTime).map((slot) => ({ scheduleId: schedule.id, slot })),
        )
        .filter(({ slot }) => spans.some(([from, to]) => from <= slot.startsAt && slot.startsAt < to))
        .filter(({ slot }) => ids === null || ids.includes(slotId(doctorId, slot.date, slot.minuteOfDay)))
        .map(({ scheduleId, slot }) => {
          const reason = closedBecause(slot, calendar, now, window, clinicTime);
          const isHeld = () => remainingSeats(slot, booked.get(doctorId) ?? []) > 0;
          return { doctorId, scheduleId, slot, reason, status: slotStatus(reason, isHeld) };
        })
        .filter(({ status }) => fits(statuses, status))
        .map((one) => ({ ...one, remaining: remainingSeats(one.slot, calendar.occupied) }));
    });
  });
  return found.sort(
    (a, b) =>
      a.slot.startsAt - b.slot.startsAt || (a.doctorId < b.doctorId ? -1 : a.doctorId > b.doctorId ? 1 : 0),
  );
};
