import { describe, expect, it } from 'vitest';
import { createPerson } from '../../support/people.ts';
import { createTaken, wishOf } from '../../support/waitlist.ts';

describe('the desk', () => {
  it('waits for a patient, sees everybody and orders them', async () => {
    const { world, staff, wait, cancel, offersOf, holder, bookingId, practice } = await createTaken();
    const people = await Promise.all(Array.from({ length: 3 }, () => createPerson(world)));
    const ids: string[] = [];
    for (const person of people.slice(0, 2)) ids.push(await wait(person));
    const last = people[2] as (typeof people)[number];
    const made = await world.request('/v1/waitlist', {
      token: staff.token,
      body: wishOf(practice, { patient_id: last.id }),
    });
    ids.push(made.body.data.id);
    const order = async () =>
      (await world.request('/v1/admin/waitlist', { token: staff.token })).body.data.map(
        ({ id }: { id: string }) => ids.indexOf(id),
      );
    const put = (at: number, before: number | null) =>
      world.request(`/v1/admin/waitlist/${ids[at]}/move`, {
        token: staff.token,
        body: { before_id: before === null ? null : ids[before], reason: 'urgent' },
      });
    expect(await order()).toEqual([0, 1, 2]);
    await put(0, null);
    expect(await order()).toEqual([1, 2, 0]);
    await put(0, 2);
    expect(await order()).toEqual([1, 0, 2]);
    await put(2, 1);
    expect(await order()).toEqual([2, 1, 0]);
    await cancel(holder, bookingId);
    expect(await offersOf(last)).toHaveLength(1);
  });
});
