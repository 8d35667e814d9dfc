import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, localDate, named, uuid } from '../../../core/endpoint/fields.ts';
import { groupings } from './rules.ts';

const minutes = (description: string, example: number) =>
  described(z.nullable(z.number()), `${description}, in minutes; null where there is none.`, { example });
const count = (description: string, example: number) => described(z.int(), description, { example });

const numbers = () => ({
  offered_seats: count(
    'By the schedules as they stand today, of doctors in service, without leave, holidays and skipped hours.',
    64,
  ),
  booked_seats: count('Bookings that stand.', 51),
  created: count('Bookings that were made, canceled ones too.', 58),
  approved: count('Of these, those that were approved, canceled ones too.', 54),
  canceled_by_patient: count('Canceled by the patient.', 4),
  canceled_by_clinic: count('Canceled or rejected by staff, a doctor or an admin.', 2),
  canceled_by_system: count('Canceled because nobody approved in time.', 1),
  no_shows: count('The patient did not come.', 3),
  completed: count('Completed visits.', 46),
  lead_minutes_median: minutes('From making the booking to its start; 0 for a walk-in', 2880),
  lead_minutes_p90: minutes('The same for nine of ten bookings at most', 10080),
  waiting_minutes_p10: minutes('From check-in to the first call, for one of ten visits at most', 3),
  waiting_minutes_p25: minutes('The same for a quarter of the visits', 8),
  waiting_minutes_median: minutes('The same for half of the visits', 14.5),
  waiting_minutes_p75: minutes('The same for three quarters of the visits', 24),
  waiting_minutes_p90: minutes('The same for nine of ten visits at most', 38),
  visit_minutes_p10: minutes('From the first call to the completed visit, for one of ten visits at most', 6),
  visit_minutes_p25: minutes('The same for a quarter of the visits', 8.5),
  visit_minutes_median: minutes('The same for half of the visits', 11.5),
  visit_minutes_p75: minutes('The same for three quarters of the visits', 16),
  visit_minutes_p90: minutes('The same for nine of ten visits at most', 22),
});

export const StatisticsNumbers = named('StatisticsNumbers', numbers);

export const StatisticsRow = named('StatisticsRow', () => ({
  date: described(z.optional(localDate()), 'With `by=day`.'),
  week: described(z.optional(localDate()), 'With `by=week`: its Monday, which may be before `from`.'),
  month: described(z.optional(z.string()), "With `by=month`: the month of the clinic's calendar.", {
    example: '2026-11',
  }),
  lead_days_from: described(
    z.optional(z.int()),
    'With `by=lead`: bookings made at least so many times 24 hours before their start.',
    { example: 2 },
  ),
  lead_days_until: described(
    z.optional(z.nullable(z.int())),
    'With `by=lead`: and fewer than so many; null where there is no limit.',
    { example: 4 },
  ),
  doctor_id: described(z.optional(uuid()), 'With `by=doctor`.'),
  doctor_name: described(z.optional(z.string()), 'With `by=doctor`.'),
  session_id: described(z.optional(uuid()), 'With `by=session`.'),
  session_name: described(z.optional(z.string()), 'With `by=session`.'),
  weekday: described(z.optional(z.int()), 'With `by=weekday_hour`: 1 is Monday, 7 Sunday.', { example: 1 }),
  hour: described(
    z.optional(z.int()),
    "With `by=hour` and `by=weekday_hour`: of the start, by the clinic's clock, 0 to 23.",
    { example: 9 },
  ),
  ...numbers(),
}));

export const GetStatistics = endpoint({
  method: 'get',
  path: '/v1/admin/statistics',
  tag: 'admin',
  summary: 'What was offered, booked and done, and how long it took',
  description:
    "By the bookings' schedule_date, whenever they were made. Median and 90th percentile are by nearest rank, of bookings that stand. By day, week and month each of the range has a row (of a week or month in part, its dates of the range count); otherwise whatever has seats or bookings. `by=lead` tells bookings apart by how long before their start they were made, and offers no seats in its rows. `Accept: text/csv` gives the same rows as a table.",
  access: ['admin'],
  scope: 'statistics:read',
  discloses: 'nothing',
  query: () =>
    z.object({
      from: described(localDate(), 'The first schedule_date.'),
      to: described(localDate(), 'The last schedule_date, at most 365 days after `from`.'),
      by: described(z.optional(z.enum(groupings)), '`day` unless set.'),
    }),
  returns: {
    200: {
      description:
        'The numbers, by day, week, month, doctor, session, hour, weekday and hour, or how long before it was booked.',
      data: () => z.array(StatisticsRow()),
      meta: () =>
        z.object({
          from: localDate(),
          to: localDate(),
          by: described(z.enum(groupings), 'By what the rows are told apart.'),
          time_zone: z.string(),
          total: described(StatisticsNumbers(), 'Of the whole range.'),
        }),
      alsoAs: 'text/csv',
    },
  },
});
