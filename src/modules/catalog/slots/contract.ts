import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import {
  described,
  describedAs,
  lineOrEmpty,
  localDate,
  localTime,
  named,
  searchText,
  utcInstant,
  uuid,
} from '../../../core/endpoint/fields.ts';
import { mayBeKept } from '../../../core/endpoint/kept.ts';
import { pageMeta, pageQuery, paging } from '../../../core/endpoint/query-fields.ts';
import { closedReasons } from '../../../core/tables/words.ts';
import { doctorFields } from '../fields/doctors.ts';
import { sessionFields } from '../fields/sessions.ts';

export const Doctor = named('Doctor', () => ({
  id: uuid(),
  ...doctorFields.publicAnswer(),
  page_slug: described(
    z.nullable(z.string()),
    'Their page is `/dokter/{page_slug}`; null unless one is published.',
    { example: 'dr-sari-wulandari' },
  ),
}));

export const Session = named('Session', () => ({
  id: uuid(),
  ...sessionFields.publicAnswer(),
}));

const ListedDoctor = named('ListedDoctor', () => ({
  ...Doctor().shape,
  next_available: described(
    z.optional(z.nullable(Slot())),
    'With `include=next_available`: the earliest slot that the caller may book within 31 days, or null.',
  ),
}));

export const ClosedReason = () => z.enum(closedReasons);

export const Slot = named('Slot', () => ({
  schedule_date: localDate(),
  schedule_time: localTime(),
  ends_at: utcInstant(),
  session_id: uuid(),
  session_name: z.string(),
  room: described(z.string(), 'Where the patients are called to; may be empty.'),
  capacity: z.int(),
  remaining: described(z.int(), 'Seats that are still free.'),
  reason: described(z.optional(ClosedReason()), 'Why the slot cannot be booked; absent on a slot that can.'),
}));

const atWork = 'Dokter masih menangani pasien gawat.';

/** A doctor's notice for the patients of a date. */
export const noticeFields = () => ({
  date: localDate(),
  delay_minutes: described(z.int().check(z.minimum(0), z.maximum(480)), 'How late the doctor is.', {
    example: 30,
  }),
  message: described(z._default(lineOrEmpty(200), ''), 'In words; may be empty.', { example: atWork }),
});

export const Notice = named('Notice', () => ({
  date: localDate(),
  delay_minutes: described(z.int(), 'How late the doctor is.', { example: 30 }),
  message: described(z.string(), 'In words; may be empty.', { example: atWork }),
}));

/** The list depends on the caller: without a token, the slots that a patient may book. */
const byToken = {
  access: 'public',
  takesToken: true,
  scope: 'catalog:read',
} as const;

/** One id, or the parameter repeated; the document says a list, which one value is as well. */
const severalIds = () =>
  describedAs(
    z.pipe(
      z.pipe(
        z.union([uuid(), z.array(uuid())]),
        z.transform((given: string | string[]) => [given].flat()),
      ),
      z.array(z.string()).check(z.maxLength(50)),
    ),
    { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: 50 },
  );

const closedToo = () =>
  described(z.optional(z.enum(['unavailable'])), 'Lists closed slots too, each with its reason.');

/** For whom slots are listed. */
const forPatient = () =>
  described(
    z.optional(uuid()),
    'With a token: for this patient, by what the sessions limit for each (`day_limit`, `days_between`, `new_patients_only`, `known_patients_only`). A patient names themselves or one of the family, the clinic a patient of its own; a key wants a scope of bookings as well. 400 for anybody else.',
  );

const awaitsApproval = () =>
  described(
    z.optional(z.boolean()),
    'With `patient_id`: whether their bookings wait for approval, whatever the session says, since they missed visits.',
  );

export const ListDoctors = endpoint({
  method: 'get',
  path: '/v1/doctors',
  tag: 'catalog',
  summary: 'Doctors who can be booked',
  description: mayBeKept,
  ...byToken,
  query: () =>
    z.object({
      ...paging(),
      q: described(
        z.optional(searchText()),
        'Beginnings of words of what a doctor is called and does, in any order; case and accents do not matter.',
      ),
      session_id: described(z.optional(uuid()), 'Only doctors who offer this session now or later.'),
      include: described(
        z.optional(z.enum(['next_available'])),
        "Adds each doctor's earliest free slot within 31 days, of the session if one is named.",
      ),
    }),
  returns: {
    200: {
      description: 'A page of doctors by name.',
      data: () => z.array(ListedDoctor()),
      meta: pageMeta,
      headers: ['ETag'],
    },
  },
});

export const GetDoctor = endpoint({
  method: 'get',
  path: '/v1/doctors/{id}',
  tag: 'catalog',
  summary: 'One doctor',
  description: mayBeKept,
  access: 'public',
  returns: { 200: { description: 'The doctor.', data: Doctor, headers: ['ETag'] } },
});

export const ListSessions = endpoint({
  method: 'get',
  path: '/v1/sessions',
  tag: 'catalog',
  summary: 'Sessions that are offered',
  description: mayBeKept,
  access: 'public',
  query: pageQuery,
  returns: {
    200: {
      description: 'A page of sessions by name.',
      data: () => z.array(Session()),
      meta: pageMeta,
      headers: ['ETag'],
    },
  },
});

export const ListSlots = endpoint({
  method: 'get',
  path: '/v1/doctors/{id}/slots',
  tag: 'catalog',
  summary: "A doctor's slots",
  description: `At most 31 days. Every slot that is listed without a reason can be booked by the caller, and no other slot can. Without a token the rules are those of a patient; with a token of the clinic a slot can be booked until it ends, without a minimum notice and without a limit in advance. ${mayBeKept}`,
  ...byToken,
  query: () =>
    z.object({
      from: described(z.optional(localDate()), 'The first date; today unless set.'),
      to: described(
        z.optional(localDate()),
        'The last date; six days after `from` unless set. With `from` at most 31 days, both included.',
      ),
      session_id: z.optional(uuid()),
      include: closedToo(),
      patient_id: forPatient(),
    }),
  returns: {
    200: {
      description: 'The slots in the order of their starts.',
      data: () => z.array(Slot()),
      meta: () =>
        z.object({
          time_zone: described(
            z.string(),
            "The clinic's IANA time zone, in which dates and times are given.",
          ),
          notices: described(z.array(Notice()), 'What the doctor lets the patients of these dates know.'),
          next_available: described(z.nullable(Slot()), 'The first bookable slot after an empty range.'),
          awaits_approval: awaitsApproval(),
        }),
      headers: ['ETag'],
    },
  },
});

const DaySlot = named('DaySlot', () => ({ doctor_id: uuid(), doctor_name: z.string(), ...Slot().shape }));

export const ListDaySlots = endpoint({
  method: 'get',
  path: '/v1/slots',
  tag: 'catalog',
  summary: 'The slots of all doctors on one day or on several',
  description: `Lists what the caller may book, by the same rules as the listing of one doctor: those of a patient without a token; with a token of the clinic also slots whose minimum notice has passed. With \`from\` or \`to\` it answers the soonest first, whoever the doctor is: at most 14 days. ${mayBeKept}`,
  ...byToken,
  query: () =>
    z.object({
      date: described(z.optional(localDate()), 'One day; today unless `from` or `to` is set.'),
      from: described(z.optional(localDate()), 'The first date of several; today unless set.'),
      to: described(
        z.optional(localDate()),
        'The last date; six days after `from` unless set. With `from` at most 14 days, both included.',
      ),
      session_id: z.optional(uuid()),
      doctor_id: described(z.optional(severalIds()), 'Only these doctors; may be given up to 50 times.', {
        example: ['d0c70000-0000-4000-8000-000000001001'],
      }),
      include: closedToo(),
      patient_id: forPatient(),
    }),
  returns: {
    200: {
      description:
        "Of one day by the doctors' names, each doctor's in the order of their starts; of several days in the order of their starts, at the same time by the doctors' names.",
      data: () => z.array(DaySlot()),
      meta: () =>
        z.object({
          time_zone: z.string(),
          next_available: described(
            z.optional(z.nullable(DaySlot())),
            'With `from` or `to`: the first bookable slot within 31 days after dates without any; else null.',
          ),
          awaits_approval: awaitsApproval(),
        }),
      headers: ['ETag'],
    },
  },
});
