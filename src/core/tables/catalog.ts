import { sql } from 'drizzle-orm';
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { hasExternalId, instant, localDate, localTime, uuid } from '../db/columns.ts';
import type { Approval, OpenTo } from './words.ts';

/** Raised by every change of the row; a change names the version that it was decided on. */
const version = () => integer('version').notNull().default(1);

/** One row: the data of the clinic as a whole. */
export const clinic = sqliteTable('clinic', {
  id: integer('id').primaryKey(),
  /**
   * Separates this clinic from every other: it is part of each key, so that no other clinic accepts this one's tokens.
   */
  clinicId: text('clinic_id'),
  /** Until when keys without that id still open, in a database that was made before clinics had one. */
  legacyKeysUntil: instant('legacy_keys_until'),
  /**
   * Whether numbers and secrets may be sealed with keys from before DATA_KEY; `rekey` ends it. False in a new database.
   */
  sealedByJwt: integer('sealed_by_jwt', { mode: 'boolean' }).notNull().default(true),
  timeZone: text('time_zone').notNull(),
  /** The zone that the bookings are being moved to: until they are, nothing is decided on their instants. */
  rezoningTo: text('rezoning_to'),
  /** Raised by every change of a holiday or a session; a booking's insert is guarded by it. */
  calendarVersion: integer('calendar_version').notNull(),
  /** The last medical record number that was given out of the counter. */
  lastRecordNumber: integer('last_record_number').notNull().default(0),
  name: text('name').notNull().default(''),
  address: text('address').notNull().default(''),
  phone: text('phone').notNull().default(''),
  logoUrl: text('logo_url'),
  /** Which of `logos` is the clinic's. */
  logoTag: text('logo_tag'),
  /** The accent colour of screens, as #rrggbb. */
  color: text('color'),
  /** The booking rules; null if not set. A setting of the environment overrides each. */
  minNoticeMinutes: integer('min_notice_minutes'),
  maxAdvanceDays: integer('max_advance_days'),
  cancelLeadMinutes: integer('cancel_lead_minutes'),
  maxLiveBookings: integer('max_live_bookings'),
  maxUnprovedBookings: integer('max_unproved_bookings'),
  approvalAfterNoShows: integer('approval_after_no_shows'),
  selfCheckInMinutes: integer('self_check_in_minutes'),
  retentionYears: integer('retention_years'),
  /** The privacy notice in force: the version that people consent to, and its address. */
  consentVersion: text('consent_version'),
  privacyNoticeUrl: text('privacy_notice_url'),
  bpjsFacilityCode: text('bpjs_facility_code'),
  satusehatOrganizationId: text('satusehat_organization_id'),
  /** Whether a schedule is refused whose room another doctor has at the same time; else only told. */
  refuseSharedRooms: integer('refuse_shared_rooms', { mode: 'boolean' }).notNull().default(false),
  /** Whether reminders ask if the patient comes. */
  askConfirmation: integer('ask_confirmation', { mode: 'boolean' }).notNull().default(false),
  /** From when on, the day before, seats of those who have not answered go to the waitlist; null for never. */
  releaseUnconfirmedAt: localTime('release_unconfirmed_at'),
  /** The origins of pages that may show a doctor's card in a frame, as a JSON list. */
  embedOrigins: text('embed_origins').notNull().default('[]'),
  /** What the QR code of the poster for checking in proves; null until one is made. It hangs on a wall, so it is not sealed. */
  posterSecret: text('poster_secret'),
  /** The last event that notices were planned from, and until when reminders were. Null before the first time. */
  noticedSequence: integer('noticed_sequence'),
  remindedAt: instant('reminded_at'),
  version: version(),
  /** How far the clock of a sandbox is ahead of the time, in milliseconds. */
  clockAheadMs: integer('clock_ahead_ms').notNull().default(0),
  /** When demo data was written here; such a database never serves in production by accident. */
  demoSince: instant('demo_since'),
});

/** The clinic's logo, under the hash of its content. */
export const logos = sqliteTable('logos', {
  tag: text('tag').primaryKey(),
  contentType: text('content_type').notNull(),
  /** In base64, as it was uploaded. */
  content: text('content').notNull(),
});

export const doctors = sqliteTable(
  'doctors',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    title: text('title').notNull(),
    specialty: text('specialty').notNull(),
    /** As HFIS of BPJS numbers the doctor. */
    bpjsDoctorCode: integer('bpjs_doctor_code'),
    /** The practitioner's number at SATUSEHAT (IHS). */
    ihsId: text('ihs_id'),
    /** Raised by every change of the doctor's schedules, leave or retirement. */
    calendarVersion: integer('calendar_version').notNull(),
    /** The words by which the doctor is found, as a JSON list; null if there are none. */
    words: text('words'),
    /** The id of the record in another system, and what that system keeps with it, as a JSON object. */
    externalId: text('external_id'),
    metadata: text('metadata'),
    version: version(),
    retiredAt: instant('retired_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('doctors_name').on(t.name, t.id),
    uniqueIndex('doctors_external_id').on(t.externalId).where(hasExternalId),
  ],
);

/** What a doctor's page says, apart from the doctor: each booking reads that row. Absent until somebody writes a page. */
export const doctorPages = sqliteTable(
  'doctor_pages',
  {
    doctorId: uuid('doctor_id')
      .primaryKey()
      .references(() => doctors.id),
    /** The present one of `doctor_slugs`. */
    slug: text('slug').notNull(),
    published: integer('published', { mode: 'boolean' }).notNull().default(false),
    about: text('about').notNull().default(''),
    /** Codes of languages, and lines of text, as JSON lists. */
    languages: text('languages').notNull().default('[]'),
    education: text('education').notNull().default('[]'),
    /** Which of `doctor_photos` is the doctor's. */
    photoTag: text('photo_tag'),
    version: version(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [index('doctor_pages_photo').on(t.photoTag)],
);

/** The addresses that doctors' pages have and had: one that was given stays with its doctor. */
export const doctorSlugs = sqliteTable(
  'doctor_slugs',
  {
    slug: text('slug').primaryKey(),
    doctorId: uuid('doctor_id')
      .notNull()
      .references(() => doctors.id),
  },
  (t) => [index('doctor_slugs_doctor').on(t.doctorId)],
);

/** The photos of doctors, under the hash of their content. */
export const doctorPhotos = sqliteTable('doctor_photos', {
  tag: text('tag').primaryKey(),
  contentType: text('content_type').notNull(),
  /** In base64, without what a camera noted. */
  content: text('content').notNull(),
});

/** A medical service session type, such as a consultation or a check-up. */
export const sessions = sqliteTable(
  'sessions',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    /** Whether the clinic approves each booking of a patient itself. */
    approval: text('approval').$type<Approval>().notNull().default('manual'),
    /** How many bookings of a date a patient may have, and how many days must lie between two; null for no limit. */
    maxPerDay: integer('max_per_day'),
    minDaysBetween: integer('min_days_between'),
    openTo: text('open_to').$type<OpenTo>().notNull().default('all'),
    /** The poli as BPJS knows it: at a hospital the code of the subspecialty, at a first-level clinic that of the poli. */
    bpjsPoliCode: text('bpjs_poli_code'),
    bpjsFktpCode: text('bpjs_fktp_code'),
    ihsLocationId: text('ihs_location_id'),
    /** What patients are asked before the visit, as a JSON list; null for nothing. */
    questions: text('questions'),
    /** The id of the record in another system, and what that system keeps with it, as a JSON object. */
    externalId: text('external_id'),
    metadata: text('metadata'),
    version: version(),
    retiredAt: instant('retired_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('sessions_name').on(t.name, t.id),
    uniqueIndex('sessions_external_id').on(t.externalId).where(hasExternalId),
  ],
);

/** A weekly schedule: on `weekday` (1 Monday … 7 Sunday) slots of `slotMinutes` from start to end. */
export const schedules = sqliteTable(
  'schedules',
  {
    id: uuid('id').primaryKey(),
    doctorId: uuid('doctor_id')
      .notNull()
      .references(() => doctors.id),
    sessionId: uuid('session_id')
      .notNull()
      .references(() => sessions.id),
    weekday: integer('weekday').notNull(),
    startTime: localTime('start_time').notNull(),
    endTime: localTime('end_time').notNull(),
    slotMinutes: integer('slot_minutes').notNull(),
    capacity: integer('capacity').notNull(),
    /** Where the patients are called to; may be empty. */
    room: text('room').notNull().default(''),
    validFrom: localDate('valid_from'),
    validUntil: localDate('valid_until'),
    /** In every such week, counted from the week of `validFrom`; 1 for each. */
    everyWeeks: integer('every_weeks').notNull().default(1),
    /** No slot lies in the break; those after it are laid out from its end. Both or neither. */
    breakStart: localTime('break_start'),
    breakEnd: localTime('break_end'),
    /** How many patients of a date BPJS may send; null for all seats. */
    jknQuota: integer('jkn_quota'),
    version: version(),
    retiredAt: instant('retired_at'),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    index('schedules_doctor').on(t.doctorId, t.weekday, t.startTime, t.id),
    index('schedules_session').on(t.sessionId),
    // The active ones of all doctors, for the figures of the clinic as a whole.
    index('schedules_weekday').on(t.weekday).where(sql`retired_at is null`),
  ],
);

/** Leave of one doctor, or (without a doctor) a holiday of the clinic; whole days, or the same hours of each. */
export const closures = sqliteTable(
  'closures',
  {
    id: uuid('id').primaryKey(),
    doctorId: uuid('doctor_id').references(() => doctors.id),
    name: text('name').notNull(),
    startDate: localDate('start_date').notNull(),
    endDate: localDate('end_date').notNull(),
    startTime: localTime('start_time'),
    endTime: localTime('end_time'),
    version: version(),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [index('closures_doctor').on(t.doctorId, t.endDate), index('closures_start').on(t.startDate, t.id)],
);
