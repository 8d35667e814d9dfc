import * as z from 'zod/mini';
import { recordFields } from '../../../core/db/record-fields.ts';
import { endTime, localDate, name, startTime } from '../../../core/endpoint/fields.ts';
import { closures } from '../../../core/tables/catalog.ts';

const startOrNull = () => z.nullable(startTime());
const endOrNull = () => z.nullable(endTime());

/** The fields of a closure that people read and write; its doctor cannot be changed. */
export const closureFields = recordFields(closures, ['id', 'doctorId', 'version', 'createdAt', 'updatedAt'], {
  name: { shape: name, meaning: 'What it is for; only staff see it.', example: 'Cuti tahunan' },
  startDate: { shape: localDate, meaning: 'The first day.' },
  endDate: { shape: localDate, meaning: 'The last day, included.' },
  startTime: {
    shape: startOrNull,
    otherwise: null,
    meaning: 'With `end_time`: only these hours of each day; null for whole days.',
  },
  endTime: {
    shape: endOrNull,
    otherwise: null,
    meaning: 'With `start_time`: until when; null for whole days.',
  },
});
