import { expect, it } from 'vitest';
import { sessions } from '../../src/core/tables/catalog.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { act, book } from '../support/clinic-people.ts';
import { createExchanging, numbersAt } from '../support/exchanging.ts';

it('a first-level clinic reports the queue, the call and who did not come, by card, poli and date', async () => {
  const { world, clinic, bpjs, send, rows } = await createExchanging({ BPJS: 'fktp', SATUSEHAT: 'off' });
  const [id, other, third] = [
    await book(world, clinic),
    await book(world, clinic, { schedule_date: '2026-11-24' }),
    await book(world, clinic, { schedule_date: '2026-11-25' }),
  ];
  for (const one of [id, other, third]) await act(world, clinic.staff, one, 'approve');
  for (const verb of ['check-in', 'call', 'complete']) await act(world, clinic.staff, id, verb);
  await send();
  await act(world, clinic.staff, third, 'reschedule', {
    schedule_date: '2026-11-26',
    schedule_time: '09:00:00',
  });
  world.clock.now += 30 * 3_600_000;
  await act(world, clinic.staff, other, 'no-show');
  await send();
  const { card } = numbersAt();
  expect(
    // Steps of one booking leave in order; bookings do not wait for each other.
    [...bpjs.queues]
      .map(([key, { tasks, canceled }]) => [key, tasks.map(([task]) => task), canceled])
      .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  ).toEqual([
    [`2026-11-23|001|${card}`, [4], false],
    [`2026-11-24|001|${card}`, [99], false],
    [`2026-11-25|001|${card}`, [], true],
    [`2026-11-26|001|${card}`, [], false],
  ]);
  expect([await rows(), bpjs.wrongs]).toEqual([[], []]);
});

it('a patient without a card is not reported there', async () => {
  const { world, clinic, bpjs, send, rows } = await createExchanging({ BPJS: 'fktp', SATUSEHAT: 'off' });
  const id = await book(world, clinic, {}, clinic.stranger.token);
  await act(world, clinic.staff, id, 'approve');
  await send();
  expect([await rows(), bpjs.calls]).toEqual([[], []]);
});

it('a step of a known visit waits for a person, instead of being sent without its poli or card', async () => {
  for (const [reason, take] of [
    ['no_poli_code', 'poli'],
    ['no_card', 'card'],
  ] as const) {
    const here = await createExchanging({ BPJS: 'fktp', SATUSEHAT: 'off' });
    const { world, clinic, bpjs, send, rows } = here;
    const id = await book(world, clinic, { payer: 'jkn', patient_id: clinic.patient.id }, clinic.staff.token);
    await act(world, clinic.staff, id, 'approve');
    await send();
    expect(bpjs.queues.size).toBe(1);
    const { length } = bpjs.calls;
    await act(world, clinic.staff, id, 'cancel');
    if (take === 'poli') await world.db.update(sessions).set({ bpjsFktpCode: null });
    else await world.db.update(patients).set({ numbersConfirmedAt: null });
    await send();
    expect((await rows()).map((row) => [row.step, row.state, row.reason])).toEqual([
      ['cancel', 'parked', reason],
    ]);
    expect(bpjs.calls).toHaveLength(length);
  }
});
