import { describe, expect, it } from 'vitest';
import { users } from '../../../src/core/tables/accounts.ts';
import { createPractice } from '../../support/clinic.ts';
import { createPerson } from '../../support/people.ts';
import { createTaken, createWaiting, wishOf } from '../../support/waitlist.ts';

const mail = { MAIL_API_URL: 'https://mail.example/send', MAIL_FROM: 'klinik@klinik.example' };

describe('an account', () => {
  it('waits for ten at most, and for another once it has left one', async () => {
    const { world, wait, practice } = await createWaiting();
    const person = await createPerson(world);
    const first = await wait(person);
    for (let more = 0; more < 9; more++) await wait(person, wishOf(await createPractice(world)));
    const eleventh = wishOf(await createPractice(world));
    const ask = () => world.request('/v1/waitlist', { token: person.token, body: eleventh });
    expect(await ask()).toMatchObject({ status: 409, body: { code: 'waitlist_full' } });
    // A repeated wish is answered as a duplicate, whether or not the list is full.
    expect(
      await world.request('/v1/waitlist', { token: person.token, body: wishOf(practice) }),
    ).toMatchObject({ status: 409, body: { code: 'already_waiting' } });
    await world.request(`/v1/waitlist/${first}`, { method: 'DELETE', token: person.token });
    expect((await ask()).status).toBe(201);
  });

  it('waits for dates that are not over, in their order, and two years ahead at most', async () => {
    const { world, wait, practice } = await createWaiting();
    const person = await createPerson(world);
    const refusalOf = async (from: string, to: string) => {
      const body = wishOf(practice, { from, to });
      const { status, body: answer } = await world.request('/v1/waitlist', { token: person.token, body });
      return [status, answer.errors];
    };
    expect(await refusalOf('2028-11-01', '2028-11-23')).toEqual([
      422,
      { to: ['Tidak boleh setelah 2028-11-22.'] },
    ]);
    expect(await refusalOf('2026-11-25', '2026-11-24')).toEqual([422, { to: [expect.any(String)] }]);
    expect(await refusalOf('2026-11-01', '2026-11-22')).toEqual([422, { to: [expect.any(String)] }]);
    await wait(person, { from: '2028-11-01', to: '2028-11-22' });
  });

  it('that has not proved its e-mail accepts no seat beyond its bookings', async () => {
    const taken = await createTaken({ ...mail, MAX_UNPROVED_BOOKINGS: '1' });
    const { world, wait, cancel, answer, holder, bookingId, book, offersOf } = taken;
    const person = await createPerson(world);
    expect((await book(person, { schedule_time: '11:00:00' })).status).toBe(201);
    const id = await wait(person);
    await cancel(holder, bookingId);
    const refused = await answer(person, id, 'accept');
    expect(refused).toMatchObject({ status: 409, body: { code: 'email_unproved' } });
    expect(await offersOf(person)).toHaveLength(1);
    await world.db.update(users).set({ emailProvedAt: world.clock.now });
    expect((await answer(person, id, 'accept')).status).toBe(200);
  });
});
