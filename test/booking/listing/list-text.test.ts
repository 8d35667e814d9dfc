import { eq, sql } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBase64Url } from '../../../src/core/crypto/base64url.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { patients } from '../../../src/core/tables/patients.ts';
import { cancelReasonCodes } from '../../../src/core/tables/words.ts';
import { clinicBookingView } from '../../../src/modules/booking/listing/views.ts';
import { storedText as text } from '../../support/arbitrary-texts.ts';
import { act, book, createClinic } from '../../support/clinic-people.ts';
import { copyRow, otherId } from '../../support/copies.ts';
import { createWorld, mondayMorning, runtime } from '../../support/world.ts';

const dayMs = 86_400_000;
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 2 });
/** Around the day of the list, and anywhere from 1970 to 9999. */
const instant = fc.oneof(
  fc.integer({ min: mondayMorning - 2 * dayMs, max: mondayMorning + 2 * dayMs }),
  fc.integer({ min: 1, max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) }),
);
const whole = fc.oneof(fc.nat(99), fc.maxSafeNat());

/** Any content of the columns that are shown, whether the service would write it or not. */
const content = fc.record({
  version: whole,
  doctorName: text,
  sessionName: text,
  startsAt: instant,
  endsAt: instant,
  queueNumber: whole,
  queueLabel: text,
  notes: text,
  staffNotes: text,
  overbooked: fc.nat(1),
  status: fc.constantFrom('waiting' as const, 'approved' as const, 'canceled' as const),
  createdAt: instant,
  updatedAt: instant,
  canceledAt: orNull(instant),
  canceledBy: orNull(fc.constantFrom('patient' as const, 'staff' as const, 'system' as const)),
  cancelReasonCode: orNull(fc.constantFrom(...cancelReasonCodes)),
  cancelReason: orNull(text),
  checkedInAt: orNull(instant),
  firstCalledAt: orNull(instant),
  calledAt: orNull(instant),
  callCount: whole,
  completedAt: orNull(instant),
  noShowAt: orNull(instant),
  seriesId: orNull(fc.uuid()),
});
const person = fc.record({ name: text, phoneCountryCode: text, phoneNumber: text });

const setUp = async () => {
  const world = await createWorld();
  const clinic = await createClinic(world, { capacity: 9 });
  const id = await book(world, clinic);
  const listed = async (query = '') => {
    const headers = { Authorization: `Bearer ${clinic.staff.token}` };
    const response = await world.app.request(`http://localhost/v1/bookings${query}`, { headers });
    return { text: await response.text(), headers: response.headers };
  };
  /** The list as the view makes it of the rows. */
  const viewed = async () => {
    const rows = await world.db
      .select()
      .from(bookings)
      .innerJoin(patients, eq(patients.id, bookings.patientId))
      .orderBy(bookings.startsAt, bookings.id);
    return rows.map(({ bookings: row, patients: { name, phoneCountryCode, phoneNumber } }) =>
      clinicBookingView(
        { deps: world.deps, now: world.clock.now, cancelLeadMinutes: 0 },
        {
          ...row,
          patientName: name,
          phoneCountryCode,
          phoneNumber,
          toAnswer: null,
        },
      ),
    );
  };
  return { world, clinic, id, listed, viewed };
};

/** The text between the envelope's beginning and its `meta`. */
const dataOf = (body: string): string =>
  body.slice('{"status":"success","data":'.length, body.lastIndexOf(',"meta":'));

describe('the clinic’s list, which the database writes as JSON', () => {
  it('is byte for byte what JSON.stringify makes of the view, whatever a booking holds', async () => {
    const { world, listed, viewed } = await setUp();
    await fc.assert(
      fc.asyncProperty(content, person, async (columns, shown) => {
        await world.db.update(bookings).set(columns);
        await world.db.update(patients).set(shown);
        expect(dataOf((await listed()).text)).toBe(JSON.stringify(await viewed()));
      }),
      { numRuns: runtime === 'node' ? 300 : 100 },
    );
  });

  it('is that in every state that a booking comes to, one by one and all together', async () => {
    const { world, clinic, id, listed, viewed } = await setUp();
    const { staff } = clinic;
    const check = async () => expect(dataOf((await listed()).text)).toBe(JSON.stringify(await viewed()));
    await check();
    for (const verb of ['approve', 'check-in', 'call', 'complete', 'undo']) {
      const version = (await viewed())[0]?.version;
      expect((await act(world, staff, id, verb, { version })).status).toBe(200);
      await check();
    }
    world.clock.now = mondayMorning + 2 * 3_600_000;
    expect((await act(world, staff, id, 'no-show')).status).toBe(200);
    await check();
    const other = await book(world, clinic, { schedule_time: '10:00:00' }, clinic.stranger.token);
    expect((await act(world, staff, other, 'cancel', { reason: 'Dokter "sakit"' })).status).toBe(200);
    await check();
    const { text } = await listed();
    expect(JSON.parse(text).data).toHaveLength(2);
  });

  it('has the tag that the same content had as values', async () => {
    const { listed } = await setUp();
    const { text, headers } = await listed();
    const { data, meta } = JSON.parse(text);
    const content = new TextEncoder().encode(JSON.stringify([data, meta]));
    const hash = await crypto.subtle.digest('SHA-256', content);
    expect(headers.get('ETag')).toBe(`W/"${toBase64Url(hash.slice(0, 15))}"`);
  });

  it('is one row of the database, also where it is as long as it can be', async () => {
    const { world, listed } = await setUp();
    // Each of these takes six bytes in JSON; a D1 value has at most two million.
    const worst = '\u0001'.repeat(1_000);
    await world.db.update(bookings).set({
      notes: worst,
      staffNotes: worst,
      doctorName: '語'.repeat(210),
      sessionName: '語'.repeat(100),
      status: 'canceled',
      canceledAt: 1,
      canceledBy: 'staff',
      cancelReasonCode: 'canceled',
      cancelReason: '\u0001'.repeat(500),
    });
    await world.db.update(patients).set({ name: '語'.repeat(100) });
    await copyRow(world, bookings, 100, {
      id: otherId('id'),
      writeId: otherId('write_id'),
      bookingCode: sql`'T' || i`,
    });
    const { text } = await listed('?limit=100');
    const { data, meta } = JSON.parse(text);
    expect(data).toHaveLength(100);
    expect(data[99]).toMatchObject({ notes: worst, staff_notes: worst });
    expect(meta.next_cursor).not.toBeNull();
    expect(text.length).toBeGreaterThan(1_500_000);
  });
});
