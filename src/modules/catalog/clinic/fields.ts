import * as z from 'zod/mini';
import { recordFields } from '../../../core/db/record-fields.ts';
import {
  described,
  describedAs,
  foreignCode,
  lineOrEmpty,
  localDate,
  must,
  nameOrEmpty,
  oneLine,
  startTime,
  webAddress,
  webOrigin,
} from '../../../core/endpoint/fields.ts';
import { languages } from '../../../core/endpoint/messages.ts';
import { clinic } from '../../../core/tables/catalog.ts';
import { detectContentType } from './rules.ts';

const color = () =>
  described(
    z.pipe(
      z.pipe(
        z.string().check(z.maxLength(7)),
        z.transform((text: string) => text.toLowerCase()),
      ),
      z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
    ),
    'As #rrggbb.',
    { pattern: '^#[0-9a-fA-F]{6}$' },
  );

const logoImage = () =>
  describedAs(z.string().check(must((text) => detectContentType(text) !== undefined, 'picture')), {
    description: 'A PNG, JPEG or WebP of at most 32 KiB, in base64, to be served by this service.',
    contentEncoding: 'base64',
    maxLength: 43_692,
  });

const addressOrNull = () => z.nullable(webAddress());

/** A booking rule: its effective value is computed, since a setting of the service overrides the column. */
const rule = (min: number, max: number, meaning: string, example: number) => ({
  shape: () => z.int().check(z.minimum(min), z.maximum(max)),
  meaning,
  example,
});
const publicRule = (...given: Parameters<typeof rule>) => ({ ...rule(...given), isPublic: true as const });

/** The clinic's fields that people read and write. */
export const clinicFields = recordFields(
  clinic,
  [
    'id',
    'clinicId',
    'legacyKeysUntil',
    'sealedByJwt',
    'timeZone',
    'rezoningTo',
    'calendarVersion',
    'lastRecordNumber',
    'logoTag',
    'posterSecret',
    'noticedSequence',
    'remindedAt',
    'version',
    'clockAheadMs',
    'demoSince',
  ],
  {
    name: {
      shape: nameOrEmpty,
      isPublic: true,
      meaning: 'What people call the clinic; may be empty.',
      example: 'Klinik Sehat Melati',
    },
    address: {
      shape: () => lineOrEmpty(300),
      isPublic: true,
      meaning: 'Where it is; may be empty.',
      example: 'Jl. Melati 1, Bandung',
    },
    phone: {
      shape: () => lineOrEmpty(30),
      isPublic: true,
      meaning: 'As people dial it; may be empty.',
      example: '+62 22 1234567',
    },
    logoUrl: {
      shape: addressOrNull,
      isPublic: true,
      meaning: 'An https address of its logo, for screens.',
      example: 'https://klinik.example/logo.svg',
    },
    logo_image: {
      write: () => z.nullable(logoImage()),
      meaning: 'A picture to be served by this service; null takes it away.',
      example:
        'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    },
    color: {
      shape: () => z.nullable(color()),
      isPublic: true,
      meaning: 'The accent colour of screens, as #rrggbb.',
      example: '#0f766e',
    },
    consentVersion: {
      shape: () => z.nullable(oneLine(40)),
      isPublic: true,
      meaning: 'The version of the privacy notice to which people agree; null without one.',
      example: '2026-11',
    },
    privacyNoticeUrl: {
      shape: addressOrNull,
      isPublic: true,
      meaning: 'An https address where it is to be read.',
      example: 'https://klinik.example/privasi',
    },
    bpjsFacilityCode: {
      shape: () => z.nullable(foreignCode(20)),
      meaning: 'The code that BPJS gave the facility; null without one.',
      example: '0301R001',
    },
    satusehatOrganizationId: {
      shape: () => z.nullable(foreignCode(64)),
      meaning: 'Its Organization at SATUSEHAT; null without one.',
      example: '10000004',
    },
    refuseSharedRooms: {
      shape: z.boolean,
      meaning:
        'Whether a schedule is refused (409 `room_shared`) whose room another doctor has at the same time; otherwise the answer only names it.',
      example: false,
    },
    askConfirmation: {
      shape: z.boolean,
      meaning:
        'Whether reminders have links by which the patient says that they come, or cancels, without a login. Needs `PUBLIC_URL`; a gateway needs the templates for it.',
      example: false,
    },
    releaseUnconfirmedAt: {
      shape: () => z.nullable(startTime()),
      meaning:
        'From this time on, the day before, the seat of a patient who was asked at least three hours ago and has not answered goes to somebody on the waitlist who wants it, and the patient is told; without anybody waiting the booking stands. Null for never.',
      example: '17:00:00',
    },
    embedOrigins: {
      shape: () => z.array(webOrigin()).check(must((given) => given.length <= 20, 'too_many', 20)),
      store: (given: readonly string[]) => JSON.stringify([...new Set(given)]),
      show: (stored: string): string[] => JSON.parse(stored),
      meaning:
        'The origins of other web sites that may show a doctor’s card in a frame; none unless set, and then there are no cards.',
      example: ['https://klinik.example'],
    },
    logo: {
      answer: () => z.nullable(z.string()),
      isPublic: true,
      meaning: 'The path of the uploaded logo on this service; null without one.',
      example: '/logo/pWBvBq9WQyQ0hJr7bcr8',
    },
    time_zone: { answer: z.string, isPublic: true },
    today: { answer: localDate, isPublic: true, meaning: "The present date, in the clinic's time zone." },
    languages: {
      answer: () => z.array(z.enum(languages)),
      isPublic: true,
      meaning: 'In which it answers; the first one unless asked.',
      example: languages,
    },
    minNoticeMinutes: publicRule(0, 43_200, 'How long before its start a slot closes to patients.', 30),
    maxAdvanceDays: publicRule(1, 730, 'How many days ahead patients may book.', 90),
    cancelLeadMinutes: publicRule(
      0,
      43_200,
      'How long before its start a patient may last cancel or move a booking.',
      0,
    ),
    maxLiveBookings: publicRule(
      0,
      10_000,
      'How many coming bookings a patient may have; 0 for no limit.',
      20,
    ),
    maxUnprovedBookings: rule(0, 10_000, 'How many of them before the e-mail is proved; 0 for no limit.', 2),
    approvalAfterNoShows: publicRule(
      0,
      100,
      'After how many missed visits within a year the bookings that a patient makes wait for approval, whatever the session’s `approval`; 0 for never.',
      0,
    ),
    selfCheckInMinutes: publicRule(
      0,
      720,
      'How many minutes before and after its start a patient may check in without the desk, at a kiosk or by the poster; 0 for at the desk alone.',
      0,
    ),
    retentionYears: rule(
      0,
      100,
      'After how many years a booking is removed, with what was recorded of it; 0 for never.',
      25,
    ),
  },
);
