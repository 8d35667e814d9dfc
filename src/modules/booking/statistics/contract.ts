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
  lead_minutes_median: minutes('From making the booking to its start; 0 for whoever came unannounced', 2880),
  lead_minutes_p90: minutes('The same for nine of ten bookings at most', 10080),
  waiting_minutes_median: minutes('From check-in to the first call', 14.5),
  waiting_minutes_p90: minutes('The same for nine of ten visits at most', 38),
  visit_minutes_median: minutes('From the first call to the completed visit', 11.5),
  visit_minutes_p90: minutes('The same for nine of ten visits at most', 22),
});

export const StatisticsNumbers = named('StatisticsNumbers', numbers);

export const StatisticsRow = named('StatisticsRow', () => ({
  date: described(z.optional(localDate()), 'With `by=day`.'),
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
    "By the bookings' schedule_date, whenever they were made. Median and 90th percentile are by nearest rank, of bookings that stand. By day each day of the range has a row; otherwise whatever has seats or bookings. `Accept: text/csv` gives the same rows as a table.",
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
      description: 'The numbers, by day, doctor, session, hour, or weekday and hour.',
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
  fails: [],
});
