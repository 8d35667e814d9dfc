import { expect, it } from 'vitest';
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
