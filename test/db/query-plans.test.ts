import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../src/core/db/db.ts';
import { findSpan } from '../../src/core/events/feed-queries.ts';
import { findDue } from '../../src/jobs/due-queries.ts';
import { pages } from '../../src/modules/auth/audit/list-queries.ts';
import { findRecorded } from '../../src/modules/auth/audit/queries.ts';
import { countUnguardedAdmins } from '../../src/modules/auth/factors/queries.ts';
import { findChanges } from '../../src/modules/booking/listing/change-queries.ts';
import { lists } from '../../src/modules/booking/listing/queries.ts';
import {
  findEvents,
  findExpired,
  findHistory,
  findNewest,
} from '../../src/modules/booking/record/queries.ts';
import {
  doctorFree,
  doctorNotHeldByOthers,
  othersAtStart,
  seatFree,
} from '../../src/modules/booking/seats/guards.ts';
import { findQueue } from '../../src/modules/booking/staff/queries.ts';
import { calendarReads, countOccupied } from '../../src/modules/catalog/slots/queries.ts';
import { findBookingsFrom } from '../../src/modules/exports/queries.ts';
import {
  findChangedPatients,
  findPatients,
  searchPatients,
} from '../../src/modules/patients/desk/queries.ts';
import { countOtherAdmins, findPeople, searchPeople } from '../../src/modules/people/queries.ts';
import { fullScans, planOf, queryOf } from '../support/plans.ts';
import { createWorld } from '../support/world.ts';

const id = '00000000-0000-4000-8000-000000000000';
const date = '2026-11-23';
const dayPage = {
  callerId: id,
  doctorId: id,
  sessionId: null,
  patientId: id,
  fromDate: date,
  toDate: date,
  fromStart: 0,
  beforeStart: 1,
  statuses: null,
  visits: null,
  confirmation: null,
  cursorStart: 0,
  cursorId: '',
  terms: null,
  phone: '',
  code: null,
  since: 0,
  limit: 51,
};
const history = {
  patientId: null,
  beforeStart: Number.MAX_SAFE_INTEGER,
  beforeId: '',
  accountId: id,
  fromInstant: 0,
  status: null,
  doctorId: null,
  limit: 51,
};
const search = {
  afterWord: '',
  afterId: '',
  term: 'sa',
  whole: null,
  terms: '[["sa"]]',
  role: null,
  limit: 51,
};
const named = { afterName: '', afterId: '', limit: 51 };
const people = { ...named, afterRole: '', firstRole: '', lastRole: '~' };
const trailPage = {
  ...{ patientId: null, userId: null, actorId: null, type: null, route: null },
  ...{ from: 0, beforeAt: 1, beforeSequence: 0, limit: 51 },
};
const since = { since: 1, afterId: '', limit: 500 };
const slotRow = sql`(select '' as id, ${id} as doctor_id, ${date} as schedule_date, 1 as starts_at, 2 as ends_at) r`;
const dates = { fromDate: date, toDate: date, now: 0, after: 0, before: 1 };
const span = { doctorId: id, bookingId: null, ...dates, countsHolds: false };

// Every statement of the other tests is checked for full scans by support/plans.ts; here is which index serves.
describe('what grows with the bookings is read by an index', () => {
  it.each([
    [
      'live bookings of a doctor',
      'bookings_doctor_day',
      (db) => calendarReads(db, span).statements.slice(-1)[0],
    ],
    ['the day list', 'bookings_day', (db) => lists.clinic.asc(db, dayPage)],
    ['the day list from its end', 'bookings_day', (db) => lists.clinic.desc(db, dayPage)],
    ["a doctor's day", 'bookings_doctor_day', (db) => lists.doctor.asc(db, dayPage)],
    ["a doctor's day from its end", 'bookings_doctor_day', (db) => lists.doctor.desc(db, dayPage)],
    ["a patient's dates", 'bookings_history', (db) => lists.patient.asc(db, dayPage)],
    ["a patient's dates from their end", 'bookings_history', (db) => lists.patient.desc(db, dayPage)],
    ['the counts of a day', 'bookings_day', (db) => lists.clinic.counts(db, dayPage)],
    ["the counts of a doctor's day", 'bookings_doctor_day', (db) => lists.doctor.counts(db, dayPage)],
    ["the counts of a patient's dates", 'bookings_history', (db) => lists.patient.counts(db, dayPage)],
    // The index of the primary key.
    ['bookings that are taken out', 'sqlite_autoindex_bookings_1', (db) => findBookingsFrom(db, since)],
    ['patients who were changed since', 'patients_updated', (db) => findChangedPatients(db, since)],
    ['the queue', 'bookings_doctor_day', (db) => findQueue(db, { doctorId: id, date, sessionId: null })],
    ['what expires', 'bookings_waiting', (db) => findExpired(db, { now: 0, limit: 1 })],
    [
      'a timeline',
      'booking_events_version',
      (db) => findEvents(db, { bookingId: id, afterVersion: 0, limit: 9 }),
    ],
    ['lines of a type that is seldom', 'security_events_type', (db) => pages.type(db, trailPage)],
    ['lines of every day', 'security_events_age', (db) => pages.time(db, trailPage)],
    ["an account's lines", 'security_events_user', (db) => pages.userId(db, trailPage)],
    ['a write of the trail', 'security_events_write', (db) => findRecorded(db, { writeId: id })],
  ] satisfies [string, string, (db: Db) => unknown][])(
    '%s by %s, without sorting',
    async (_what, index, read) => {
      const { db } = await createWorld();
      const plan = await planOf(db, queryOf(read(db)));
      // Whether a patient has come before is asked by the same index, where questions are for new patients only.
      const steps = plan.filter((step) => !step.startsWith('SEARCH o USING'));
      expect(steps.filter((step) => step.includes(`INDEX ${index} (`))).toHaveLength(1);
      expect(plan.filter((step) => step.includes('TEMP B-TREE FOR ORDER BY'))).toEqual([]);
    },
  );

  it.each([
    ['whether the doctor is free', (db) => db.select({ free: doctorFree }).from(slotRow)],
    [
      'who shares the start',
      (db) => db.select({ others: sql`(select count(*) ${othersAtStart})` }).from(slotRow),
    ],
    [
      'how many share the start',
      (db) => countOccupied(db, { doctorId: id, date, now: 0, after: 0, before: 1 }),
    ],
  ] satisfies [string, (db: Db) => unknown][])(
    '%s is read of the dates near the start, and of them near the start alone',
    async (_what, read) => {
      const { db } = await createWorld();
      const plan = await planOf(db, queryOf(read(db)));
      const ofDoctor = plan.filter((step) => step.includes('bookings_doctor_day'));
      expect(ofDoctor).toHaveLength(1);
      expect(ofDoctor[0]).toMatch(
        /\(doctor_id=\? AND schedule_date=\? AND starts_at(=\?|>\? AND starts_at<\?)\)/,
      );
    },
  );

  it('what is held is read of the doctor’s dates near the start', async () => {
    const { db } = await createWorld();
    const row = sql`(select '' as id, ${id} as doctor_id, ${date} as schedule_date, 1 as starts_at, 2 as ends_at,
      1 as capacity, 0 as beyond, '' as hold, '' as actor_id, 0 as now) r`;
    const taken = { seat: sql`${seatFree}`.as('seat'), doctor: sql`${doctorNotHeldByOthers}`.as('doctor') };
    const plan = await planOf(db, queryOf(db.select(taken).from(row)));
    const ofHolds = plan.filter((step) => /\bh\b/.test(step));
    expect(ofHolds).toHaveLength(3);
    for (const step of ofHolds)
      expect(step).toMatch(
        /INDEX holds_doctor_day \(doctor_id=\? AND schedule_date(=\? AND starts_at=\?|>\? AND schedule_date<\?)\)/,
      );
  });

  it('a long visit that has not ended is searched only among long visits', async () => {
    const { db } = await createWorld();
    const plan = await planOf(db, queryOf(db.select({ free: doctorFree }).from(slotRow)));
    expect(plan.filter((step) => step.includes('bookings_long'))).toEqual([
      expect.stringMatching(/\(doctor_id=\? AND starts_at>\? AND starts_at<\?\)/),
    ]);
  });

  it.each([
    ['of people', (db) => searchPeople(db, search)],
    ['of patients', (db) => searchPatients(db, search)],
  ] satisfies [string, (db: Db) => unknown][])(
    'a search %s by the words themselves and the e-mails of accounts, merged: at most the page is sorted',
    async (_what, find) => {
      const { db } = await createWorld();
      const plan = await planOf(db, queryOf(find(db)));
      const byWords = /^SEARCH search_words USING PRIMARY KEY \(kind=\? AND word>\? AND word<\?\)/;
      expect(plan.filter((step) => byWords.test(step))).toHaveLength(2);
      expect(
        plan.filter((step) => /^SEARCH users USING (COVERING )?INDEX users_email_unique \(email>/.test(step)),
      ).toHaveLength(2);
      expect(plan.filter((step) => step === 'MERGE (UNION ALL)')).toHaveLength(3);
      // The page has its length already when it is joined: sorting is the last step, if it is one.
      expect(plan.slice(0, -1).filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
    },
  );

  it.each([
    [
      'what an account did',
      ['security_events_actor', 'security_events_user'],
      (db) => pages.actorId(db, trailPage),
    ],
    ['people', ['users_role_name', 'users_name'], (db) => findPeople(db, people)],
    ['patients', ['patients_name', 'users_name'], (db) => findPatients(db, named)],
  ] satisfies [string, [string, string], (db: Db) => unknown][])(
    '%s by %s, merged and never sorted',
    async (_what, indexes, read) => {
      const { db } = await createWorld();
      const plan = await planOf(db, queryOf(read(db)));

      expect(plan[0]).toBe('MERGE (UNION ALL)');
      for (const index of indexes)
        expect(plan.filter((step) => new RegExp(`INDEX ${index} \\(.*>`).test(step))).toHaveLength(1);
      expect(plan.filter((step) => step.includes('TEMP B-TREE'))).toEqual([]);
    },
  );

  it('admins by the index of those who work here', async () => {
    const { db } = await createWorld();
    const queries = [countOtherAdmins(db, { id }), countUnguardedAdmins(db, {})].map(queryOf);
    for (const query of queries)
      expect((await planOf(db, query))[0]).toMatch(/INDEX users_role_name \(role=\?\)/);
  });

  it('what is due, in one row, by an index of each table', async () => {
    const { db } = await createWorld();
    const values = {
      now: 0,
      oldKeyIds: '[]',
      retentionYears: null,
      channels: '["email","message"]',
      earlyReminderMs: 86_400_000,
      lateReminderMs: 7_200_000,
      targets: '["bpjs","satusehat"]',
      demoStaffId: id,
      demoKey: 'demo',
    };
    const query = queryOf(findDue(db, values));
    const plan = (await planOf(db, query)).join('\n');
    for (const index of [
      ...['bookings_waiting', 'bookings_day', 'mail_outbox_due', 'mail_outbox_expiry', 'notices_due'],
      ...['replays_expiry', 'throttles_expiry', 'known_networks_expiry'],
      ...[
        'password_resets_expiry',
        'email_codes_expiry',
        'login_codes_expiry',
        'holds_expiry',
        'email_changes_expiry',
        'claim_codes_expiry',
        'record_matches_open',
      ],
      ...['webhook_deliveries_settled', 'audit_blocks_last', 'audit_blocks_key', 'second_factors_secret'],
      ...['patients_sealed_national_id', 'patients_sealed_insurance_number'],
    ])
      expect(plan).toMatch(new RegExp(`INDEX ${index}\\b`));
    expect(await fullScans(db, query)).toEqual([]);
  });

  it('the changes since by their number, each booking by its id, and the ends of the events by one look', async () => {
    const { db } = await createWorld();
    const plan = await planOf(db, queryOf(findChanges(db, { after: 0, callerId: id, limit: 50 })));
    expect(plan.filter((step) => step.startsWith('SEARCH e USING INTEGER PRIMARY KEY'))).toHaveLength(1);
    // Of the few that it looks through.
    expect(plan.filter((step) => step.includes('TEMP B-TREE')).length).toBeLessThan(2);
    expect(plan.filter((step) => /^SCAN (?!w\b|x\b|one\b|CONSTANT|\w+ VIRTUAL)/.test(step))).toEqual([]);
    expect(await fullScans(db, queryOf(findSpan(db, { after: 0 })))).toEqual([]);
  });

  it.each([
    ['first page of the history', findNewest, { accountId: id, limit: 51 }],
    ['history with filters', findHistory, history],
  ] as const)(
    'the %s by bookings_history: it sorts the bookings of one alone; those of a family are merged in',
    async (_, find, values) => {
      const { db } = await createWorld();
      const plan = await planOf(db, queryOf(find(db, values as typeof history)));
      expect(plan.filter((step) => step.includes('INDEX bookings_history ('))).toHaveLength(3);
      const [merging, ...others] = plan.flatMap((step, at) =>
        step.startsWith('MERGE (UNION ALL)') ? [at] : [],
      );
      expect(others).toEqual([]);
      const sorting = plan.flatMap((step, at) => (step.includes('TEMP B-TREE FOR ORDER BY') ? [at] : []));
      expect(sorting).toHaveLength(1);
      expect(sorting[0]).toBeGreaterThan(merging ?? Number.NaN);
    },
  );
});
