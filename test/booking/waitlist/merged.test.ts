import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { bookingsAStep } from '../../../src/modules/patients/merge/rules.ts';
import { bookingInput } from '../../support/clinic.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { nine, setUp, ten } from '../../support/waiting-twice.ts';

const anyDoctor = { doctor_id: null };

describe('a merge of two records of whom both wait', () => {
  it('leaves one of equal wishes, in the better of the two places', async () => {
    const { world, record, account, neighbour, atNine, atTen, ...w } = await setUp();
    const old = await w.waitForRecord({});
    const next = await w.wait(neighbour);
    const own = await w.wait(account);
    expect((await w.merge()).status).toBe(200);
    expect(await w.endedAs()).toEqual([[old, 'withdrawn']]);
    expect(await findViolations(world.db)).toEqual([]);
    await atNine.giveBack();
    expect(await w.waitsFor(account)).toEqual([[own, '09:00:00']]);
    expect((await w.answer(account, own, 'accept')).status).toBe(200);
    await atTen.giveBack();
    expect(await w.waitsFor(account)).toEqual([]);
    expect(await w.waitsFor(neighbour)).toEqual([[next, '10:00:00']]);
  });

  it('keeps wishes for another doctor beside those for any', async () => {
    const { account, practice, ...w } = await setUp();
    const old = await w.waitForRecord({ doctor_id: practice.doctorId });
    const own = await w.wait(account, anyDoctor);
    expect((await w.merge()).status).toBe(200);
    expect((await w.waitsFor(account)).map(([id]) => id).sort()).toEqual([old, own].sort());
    expect(await w.endedAs()).toEqual([]);
  });

  it('keeps of equal wishes the one for which a seat is held, which is accepted as it was offered', async () => {
    const { world, account, atTen, ...w } = await setUp();
    const old = await w.waitForRecord(ten);
    const own = await w.wait(account, nine);
    await atTen.giveBack();
    expect((await w.merge()).status).toBe(200);
    expect(await w.endedAs()).toEqual([[own, 'withdrawn']]);
    expect(await w.waitsFor(account)).toEqual([[old, '10:00:00']]);
    expect((await w.answer(account, old, 'accept')).status).toBe(200);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it.each([
    ['the record that goes', false],
    ['the record that stays', true],
  ])(
    'leaves the first of two offers; the seat of the later, of %s, goes to the next who waits',
    async (_, isOwn) => {
      const { world, staff, account, neighbour, atNine, atTen, practice, ...w } = await setUp();
      const old = await w.waitForRecord({ ...(isOwn ? nine : ten), doctor_id: practice.doctorId });
      const own = await w.wait(account, isOwn ? ten : nine);
      const next = await w.wait(neighbour, ten);
      await atNine.giveBack();
      w.pass(1);
      await atTen.giveBack();
      const headers = { 'Idempotency-Key': 'gabung' };
      const answers = await Promise.all([w.merge(headers), w.merge(headers)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(new Map(await w.waitsFor(account))).toEqual(
        new Map([
          [old, isOwn ? '09:00:00' : null],
          [own, isOwn ? null : '09:00:00'],
        ]),
      );
      expect(await w.waitsFor(neighbour)).toEqual([[next, '10:00:00']]);
      const [ended] = await world.db
        .select()
        .from(bookings)
        .where(eq(bookings.cancelReasonCode, 'offer_declined'));
      expect(ended).toMatchObject({ patientId: account.id, scheduleTime: '10:00:00', canceledBy: 'staff' });
      const events = await world.db
        .select()
        .from(bookingEvents)
        .where(eq(bookingEvents.bookingId, ended?.id ?? ''));
      expect(events.at(-1)).toMatchObject({
        type: 'booking.canceled',
        actorId: staff.id,
        actorRole: 'staff',
      });
      expect(await findViolations(world.db)).toEqual([]);
    },
  );

  it('leaves one offer of one wish where both were for the same', async () => {
    const { world, account, atNine, atTen, ...w } = await setUp();
    const old = await w.waitForRecord(nine);
    const own = await w.wait(account, ten);
    await atNine.giveBack();
    w.pass(1);
    await atTen.giveBack();
    expect((await w.merge()).status).toBe(200);
    expect(await w.waitsFor(account)).toEqual([[old, '09:00:00']]);
    expect(await w.endedAs()).toEqual([[own, 'withdrawn']]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('keeps the later of two offers where the time of the first is over', async () => {
    const { world, account, atNine, atTen, practice, ...w } = await setUp();
    await w.waitForRecord({ ...nine, doctor_id: practice.doctorId });
    const own = await w.wait(account, ten);
    await atNine.giveBack();
    w.pass(20);
    await atTen.giveBack();
    w.pass(15);
    expect((await w.merge()).status).toBe(200);
    expect((await w.waitsFor(account)).filter(([, time]) => time !== null)).toEqual([[own, '10:00:00']]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('decides again where a seat is offered meanwhile', async () => {
    const { world, account, atNine, atTen, practice, ...w } = await setUp();
    const old = await w.waitForRecord({ ...ten, doctor_id: practice.doctorId });
    await w.wait(account, nine);
    await atTen.giveBack();
    w.pass(1);
    // After the merge has read, and before it writes.
    beforeRoundTrip(world, 4, () => atNine.giveBack());
    expect((await w.merge()).status).toBe(200);
    expect((await w.waitsFor(account)).filter(([, time]) => time !== null)).toEqual([[old, '10:00:00']]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('ends no offer for the sake of one that was declined meanwhile', async () => {
    const { world, record, account, staff, atNine, atTen, practice, ...w } = await setUp();
    const old = await w.waitForRecord({ ...ten, doctor_id: practice.doctorId });
    const own = await w.wait(account, nine);
    await atNine.giveBack();
    w.pass(1);
    await atTen.giveBack();
    beforeRoundTrip(world, 4, () => w.answer(account, own, 'decline'));
    expect((await w.merge()).status).toBe(200);
    expect((await w.waitsFor(account)).filter(([, time]) => time !== null)).toEqual([[old, '10:00:00']]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('moves the seat that is held with the first of its steps, as it does the entry', async () => {
    const { world, record, staff, account, atNine, practice, ...w } = await setUp();
    const old = await w.waitForRecord(nine);
    await atNine.giveBack();
    for (let made = 0; made <= bookingsAStep; made++) {
      const schedule_date = `2026-11-${26 + (made % 4)}`;
      const schedule_time = `${String(8 + Math.floor(made / 8)).padStart(2, '0')}:${made % 8 < 4 ? '00' : '30'}:00`;
      const body = bookingInput(practice, { schedule_date, schedule_time, patient_id: record });
      expect((await world.request('/v1/bookings', { token: staff.token, body })).status).toBe(201);
    }
    beforeRoundTrip(world, 6, () => Promise.reject(new Error('the process is gone')));
    world.deps.log.error = () => {};
    expect((await w.merge()).status).toBe(500);
    world.deps.db = world.db;
    expect(await findViolations(world.db)).toEqual([]);
    expect(await w.waitsFor(account)).toEqual([[old, '09:00:00']]);
    expect((await w.merge()).status).toBe(200);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is one by the patient with a code, too', async () => {
    const { world, account, neighbour, atNine, atTen, practice, ...w } = await setUp();
    await w.waitForRecord({ ...ten, doctor_id: practice.doctorId });
    const own = await w.wait(account, nine);
    const next = await w.wait(neighbour, ten);
    await atNine.giveBack();
    w.pass(1);
    await atTen.giveBack();
    expect((await w.claim()).status).toBe(200);
    expect((await w.waitsFor(account)).filter(([, time]) => time !== null)).toEqual([[own, '09:00:00']]);
    expect(await w.waitsFor(neighbour)).toEqual([[next, '10:00:00']]);
    expect(await findViolations(world.db)).toEqual([]);
  });
});
