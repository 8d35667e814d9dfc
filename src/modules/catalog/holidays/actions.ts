import { runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { recordSubjectEventIfAudited } from '../../../core/events/queries.ts';
import type { ResponseToStore } from '../../../core/idempotency/key.ts';
import { assertNotRepeated, storeResponse } from '../../../core/idempotency/queries.ts';
import { changeEvent, eventRow, findRecorded } from '../../auth/audit/queries.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { affectedView } from '../affected.ts';
import { findOnDates } from '../affected-queries.ts';
import { closureEvent, closureView } from '../closures/actions.ts';
import type { AddHolidays } from './contract.ts';
import {
  findCalendarVersion,
  findWholeDays,
  insertHoliday,
  raiseCalendarWith,
  recordHoliday,
} from './queries.ts';
import { type Holiday, listHolidays } from './rules.ts';

type WholeDays = ReturnType<typeof findWholeDays>['_']['result'];

export const findWholeDaysInYear = ({ db }: Pick<Deps, 'db'>, year: number) =>
  findWholeDays(db, { from: `${year}-01-01`, to: `${year}-12-31` });

const closureOn = (closed: WholeDays, date: string) =>
  closed.find(({ startDate, endDate }) => startDate <= date && date <= endDate);

/** The days of a year, each with the holiday of the clinic that closes it already. */
export const holidaysView = (year: number, closed: WholeDays) =>
  listHolidays(year).map((day) => ({ ...day, closure_id: closureOn(closed, day.date)?.id ?? null }));

/** A holiday as a closure of the whole clinic. */
export const holidayRow = ({ date, name }: Pick<Holiday, 'date' | 'name'>, id: string, now: number) => ({
  id,
  doctorId: null,
  name,
  startDate: date,
  endDate: date,
  startTime: null,
  endTime: null,
  version: 1,
  createdAt: now,
  updatedAt: now,
});

/** The days of the list that were chosen; throws for one that is not on it. */
const chosenDays = ({ year, dates }: BodyOf<typeof AddHolidays>): Holiday[] => {
  const days = listHolidays(year);
  const issues = dates.flatMap((date, nth) =>
    days.some((day) => day.date === date) ? [] : [{ path: `dates.${nth}`, rule: 'not_found' as const }],
  );
  if (issues.length > 0) throw new Failure('validation_failed', { issues });
  return days.filter(({ date }) => dates.includes(date));
};

/** Adds the chosen days that are not closed yet, all in one step; decides again if the clinic's calendar changed meanwhile. */
export const addHolidays = (
  deps: Deps,
  by: Author & { actorId: string },
  input: BodyOf<typeof AddHolidays>,
  toStoredResponse: ResponseToStore,
) =>
  decideAgain(async () => {
    const { db, newId } = deps;
    const { now } = by;
    const chosen = chosenDays(input);
    const {
      closed,
      calendar: [calendar],
    } = await runAll(db, {
      closed: findWholeDaysInYear(deps, input.year),
      calendar: findCalendarVersion(db, {}),
    });
    const rows = chosen
      .filter(({ date }) => closureOn(closed, date) === undefined)
      .map((day) => holidayRow(day, newId(), now));
    const data = rows.map(closureView);
    const response = toStoredResponse({ status: 200, data });
    const written = { clinicVersion: calendar?.calendarVersion ?? 0, key: response?.idempotency.key ?? null };
    const steps = rows.map((row) => {
      const event = changeEvent(deps, by, 'closure_created', { closure_id: row.id });
      const { id, name, startDate: date } = row;
      const { writeId } = event;
      return {
        writeId,
        statements: [
          recordHoliday(db, { ...eventRow(event), ...written }),
          insertHoliday(db, { id, name, date, writeId, now }),
          recordSubjectEventIfAudited(db, closureEvent(by, 'closure.created', writeId, row)),
        ],
      };
    });
    const writeId = steps[0]?.writeId;
    if (writeId === undefined) {
      await assertNotRepeated(db, { actorId: by.actorId, now }, response);
      return { data, meta: affectedView([], by) };
    }
    const { affected, done } = await runAll(db, {
      steps: steps.flatMap(({ statements }) => statements),
      raise: raiseCalendarWith(db, writeId),
      affected: findOnDates(
        db,
        now,
        rows.map(({ startDate }) => startDate),
      ),
      stored: storeResponse(db, { writeId, actorId: by.actorId, now }, response),
      done: findRecorded(db, { writeId }),
    });
    if (done.length === 0) {
      await assertNotRepeated(db, { actorId: by.actorId, now }, response);
      return overtaken;
    }
    deps.eventsWritten();
    return { data, meta: affectedView(affected, by) };
  });
