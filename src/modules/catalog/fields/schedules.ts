import * as z from 'zod/mini';
import { recordFields } from '../../../core/db/record-fields.ts';
import { endTime, localDate, nameOrEmpty, startTime, uuid } from '../../../core/endpoint/fields.ts';
import { schedules } from '../../../core/tables/catalog.ts';

const from = (min: number, max: number) => () => z.int().check(z.minimum(min), z.maximum(max));
const startOrNull = () => z.nullable(startTime());
const endOrNull = () => z.nullable(endTime());
const dateOrNull = () => z.nullable(localDate());

/** The fields of a weekly schedule that people read and write; its doctor cannot be changed. */
export const scheduleFields = recordFields(
  schedules,
  ['id', 'doctorId', 'version', 'retiredAt', 'createdAt', 'updatedAt'],
  {
    sessionId: { shape: uuid, meaning: 'The session that is offered.' },
    weekday: { shape: from(1, 7), meaning: '1 Monday … 7 Sunday.', example: 1 },
    startTime: {
      shape: startTime,
      meaning: "In the clinic's time zone, on a whole minute.",
      example: '08:00:00',
    },
    endTime: {
      shape: endTime,
      meaning: 'After the start, at most 24:00:00: hours past midnight are a second schedule.',
      example: '16:00:00',
    },
    slotMinutes: { shape: from(5, 1_440), meaning: 'No longer than the schedule.', example: 30 },
    capacity: { shape: from(1, 1_000), otherwise: 1, meaning: 'How many patients share a slot.', example: 1 },
    room: {
      shape: () => nameOrEmpty(50),
      otherwise: '',
      meaning: 'Where the patients are called to; may be empty.',
      example: 'Ruang 3',
    },
    validFrom: {
      shape: dateOrNull,
      otherwise: null,
      meaning: 'The first date it holds on; null from ever.',
      example: null,
    },
    validUntil: {
      shape: dateOrNull,
      otherwise: null,
      meaning: 'The last date it holds on; null for good.',
      example: null,
    },
    everyWeeks: {
      shape: from(1, 8),
      otherwise: 1,
      meaning: 'In every such week, counted from the week of `valid_from`, which is required above 1.',
      example: 1,
    },
    breakStart: {
      shape: startOrNull,
      otherwise: null,
      meaning:
        'A break inside of the hours, with `break_end`; null without one. No slot lies in it, and those after it are laid out from its end.',
      example: '12:00:00',
    },
    breakEnd: {
      shape: endOrNull,
      otherwise: null,
      meaning: 'The end of the break; null without one.',
      example: '13:00:00',
    },
    jknQuota: {
      shape: () => z.nullable(from(0, 100_000)()),
      otherwise: null,
      meaning: 'How many patients BPJS may send on a date; null for as many as there are seats.',
      example: null,
    },
  },
);
