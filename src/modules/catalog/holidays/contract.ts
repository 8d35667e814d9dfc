import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, localDate, named, uuid } from '../../../core/endpoint/fields.ts';
import { pageMeta, paging } from '../../../core/endpoint/query-fields.ts';
import { Closure } from '../closures/contract.ts';
import { affectedMeta, catalogRead, catalogWrite } from '../shapes.ts';
import { firstYear, lastYear } from './rules.ts';

const year = () => z.int().check(z.minimum(firstYear), z.maximum(lastYear));
const example = { example: 2027 };

const Holiday = named('Holiday', () => ({
  date: localDate(),
  name: described(z.string(), 'As the government writes it, in Indonesian.', {
    example: 'Isra Mikraj Nabi Muhammad SAW',
  }),
  kind: described(
    z.enum(['public_holiday', 'joint_leave']),
    'Joint leave (cuti bersama) is the clinic’s to choose.',
  ),
  tentative: described(
    z.boolean(),
    'True while the government’s decree of the year is not known here: days that follow the moon may still change.',
  ),
  closure_id: described(
    z.nullable(uuid()),
    'The holiday of the clinic that closes the whole day already; null where none does.',
    {
      example: null,
    },
  ),
}));

const path = '/v1/admin/holidays';

export const ListHolidays = endpoint({
  method: 'get',
  path,
  ...catalogRead,
  summary: 'Public holidays and joint leave of a year',
  description: `What can be added as holidays of the clinic: those of Indonesia, ${firstYear} to ${lastYear}. Where no decree is known, joint leave is what is usually decreed.`,
  query: () =>
    z.object({ ...paging(), year: described(z.pipe(z.coerce.number(), year()), 'Which year.', example) }),
  returns: {
    200: { description: 'A page of days by date.', data: () => z.array(Holiday()), meta: pageMeta },
  },
});

export const AddHolidays = endpoint({
  method: 'post',
  path,
  ...catalogWrite,
  summary: 'Add days of the list as holidays of the clinic',
  description:
    'All of them in one step. A day that is closed already stays as it is, so that the same request twice adds nothing. Bookings that stand on the added days are listed and none is canceled.',
  idempotent: true,
  answersSecret: true,
  body: () =>
    z.object({
      year: described(year(), 'Of which year’s list.', example),
      dates: described(
        z.array(localDate()).check(z.minLength(1), z.maxLength(60)),
        'Which days of the list.',
        {
          example: ['2027-08-17'],
        },
      ),
    }),
  returns: {
    200: {
      description: 'The holidays that were added; an empty list where all stood already.',
      data: () => z.array(Closure()),
      meta: affectedMeta,
      message: 'changed',
    },
  },
});
