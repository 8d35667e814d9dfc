import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { createBpjsClinic, newPatientAt, takeAt } from '../../support/peers/mobile-jkn.ts';

const persons = 7;
const who = fc.nat(persons - 1);
const shift = fc.record({
  capacity: fc.integer({ min: 1, max: 2 }),
  slots: fc.integer({ min: 1, max: 3 }),
  quota: fc.option(fc.integer({ min: 0, max: 7 })),
  calls: fc.array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({ does: fc.constant('take' as const), who, isInsured: fc.boolean() }),
      },
      { weight: 1, arbitrary: fc.record({ does: fc.constant('cancel' as const), who }) },
      {
        weight: 1,
        arbitrary: fc.record({ does: fc.constant('crowd' as const), isInsured: fc.boolean() }),
      },
    ),
    { minLength: 4, maxLength: 12 },
  ),
});

const first = Date.parse('2026-11-23T01:00:00Z');
const slotMs = 30 * 60_000;

it('a shift gives its first free slot, refuses only when it is full, and keeps to its seats and its quota, for all callers in any order', async () => {
  await fc.assert(
    fc.asyncProperty(shift, async ({ capacity, slots, quota, calls }) => {
      const endTime = `${['08:30', '09:00', '09:30'][slots - 1]}:00`;
      const { world, mobile } = await createBpjsClinic('rs', { capacity, endTime, jknQuota: quota });
      for (let at = 0; at < persons; at++) await mobile.post('pasien/baru', newPatientAt(at));
      const places = slots * capacity;
      const share = quota === null ? null : Math.min(quota, places);
      const limitOf = (isInsured: boolean) =>
        share === null || isInsured ? (share ?? places) : places - share;
      const held = new Map<number, { code: string; slot: number; isInsured: boolean }>();
      const freeSlot = () =>
        Array.from({ length: slots }, (_, slot) => slot).find(
          (slot) => [...held.values()].filter((one) => one.slot === slot).length < capacity,
        );
      const ofKind = (isInsured: boolean) =>
        [...held.values()].filter((one) => one.isInsured === isInsured).length;
      const bodyOf = (at: number, isInsured: boolean) =>
        takeAt(at, {
          jampraktek: `08:00-${endTime.slice(0, 5)}`,
          ...(!isInsured && { nomorkartu: '', nomorreferensi: '' }),
        });
      const taken = (answer: { response: { kodebooking: string; estimasidilayani: number } }) => ({
        code: answer.response.kodebooking,
        slot: (answer.response.estimasidilayani - first) / slotMs,
      });
      for (const call of calls) {
        if (call.does === 'cancel') {
          const mine = held.get(call.who);
          if (mine === undefined) continue;
          expect((await mobile.post('antrean/batal', { kodebooking: mine.code })).code).toBe(200);
          held.delete(call.who);
        } else if (call.does === 'take') {
          const before = held.get(call.who);
          const slot = freeSlot();
          const answer = await mobile.post('antrean/ambil', bodyOf(call.who, call.isInsured));
          if (before !== undefined) {
            expect(answer.response).toMatchObject({ kodebooking: before.code });
          } else if (slot === undefined || ofKind(call.isInsured) >= limitOf(call.isInsured)) {
            expect(answer.code).toBe(201);
          } else {
            expect([answer.code, taken(answer).slot]).toEqual([200, slot]);
            held.set(call.who, { ...taken(answer), isInsured: call.isInsured });
          }
        } else {
          const waiting = Array.from({ length: persons }, (_, at) => at).filter((at) => !held.has(at));
          const room = Math.max(0, limitOf(call.isInsured) - ofKind(call.isInsured));
          const expected = Math.min(waiting.length, room, places - held.size);
          const answers = await Promise.all(
            waiting.map(async (at) => ({
              at,
              answer: await mobile.post('antrean/ambil', bodyOf(at, call.isInsured)),
            })),
          );
          const won = answers.filter(({ answer }) => answer.code === 200);
          expect(won).toHaveLength(expected);
          for (const { at, answer } of won) held.set(at, { ...taken(answer), isInsured: call.isInsured });
        }
        const rows = (await world.db.select().from(bookings)).filter(({ status }) => status !== 'canceled');
        expect(rows).toHaveLength(held.size);
        expect(new Set(rows.map((row) => `${row.startsAt} ${row.seat}`)).size).toBe(rows.length);
        expect(rows.every(({ seat, overbooked }) => seat <= capacity && overbooked === 0)).toBe(true);
        expect(ofKind(true)).toBeLessThanOrEqual(limitOf(true));
      }
    }),
    { numRuns: 12 },
  );
});
