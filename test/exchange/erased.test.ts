import { expect, it } from 'vitest';
import { act, book } from '../support/clinic-people.ts';
import { deleteAccount } from '../support/erasure.ts';
import { confirmNumbers, createExchanging } from '../support/exchanging.ts';
import type { Fault } from '../support/peers/bpjs.ts';

/** A patient with an approved booking, and one of a child; both go with the account. */
const createFamily = async (BPJS: 'rs' | 'fktp', isSent: boolean, fault: Fault | null = null) => {
  const here = await createExchanging({ BPJS, SATUSEHAT: 'off' });
  const { world, clinic, bpjs, send } = here;
  bpjs.fault = () => fault;
  const body = { name: 'Anak', birth_date: '2019-04-23', relation: 'child' };
  const child = (await world.request('/v1/family', { token: clinic.patient.token, body })).body.data.id;
  await confirmNumbers(world, child, 1);
  const times = { schedule_time: '10:00:00', patient_id: child };
  const ids = [await book(world, clinic), await book(world, clinic, times)];
  for (const id of ids) await act(world, clinic.staff, id, 'approve');
  if (isSent) await send();
  expect((await deleteAccount(world, clinic.patient)).status).toBe(200);
  bpjs.fault = () => null;
  await send(60_000);
  return here;
};

const statesOf = ({ bpjs }: Awaited<ReturnType<typeof createFamily>>) =>
  [...bpjs.queues.values()].map(({ canceled }) => canceled);

it('the bookings of a deleted account are canceled at a hospital’s BPJS, by codes that are nobody’s', async () => {
  const here = await createFamily('rs', true);
  expect([statesOf(here), await here.rows(), here.bpjs.wrongs]).toEqual([[true, true], [], []]);
});

it.each([
  ['lost', [true, true]],
  ['drop', []],
] as const)('so they are where the answer of BPJS was missing: %s', async (fault, states) => {
  const here = await createFamily('rs', true, fault);
  expect([statesOf(here), await here.rows()]).toEqual([states, []]);
});

it('nothing of a deleted patient is reported that BPJS had not heard of', async () => {
  const here = await createFamily('rs', false);
  expect([statesOf(here), await here.rows()]).toEqual([[], []]);
});

it('a first-level clinic cannot name a deleted patient: the log says so, and nothing waits', async () => {
  const here = await createFamily('fktp', true);
  expect([statesOf(here), await here.rows()]).toEqual([[false, false], []]);
  expect(here.logged.filter((line) => line.includes('"why":"erased"'))).toHaveLength(2);
});
