import { ne } from 'drizzle-orm';
import { beforeEach, expect, it } from 'vitest';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { book, createClinic } from '../support/clinic-people.ts';
import { addKey } from '../support/keys.ts';
import { createWorld, type World } from '../support/world.ts';

let world: World;
let clinic: Awaited<ReturnType<typeof createClinic>>;

beforeEach(async () => {
  world = await createWorld();
  clinic = await createClinic(world, { capacity: 3 });
});

const asDesk = (path: string, more: object = {}) =>
  world.request(path, { token: clinic.staff.token, ...more });

const addPatient = async (name: string): Promise<string> => {
  const body = { name, birth_date: '1980-01-02', confirm: true };
  return (await asDesk('/v1/patients', { body })).body.data.id;
};

it('lists the changes of records since, in order, without personal data', async () => {
  const { meta } = (await asDesk('/v1/patients/changes?after=0&limit=100')).body;
  const [one, two] = [await addPatient('Rina Lestari'), await addPatient('Rina Lestari Dua')];
  await asDesk(`/v1/patients/${one}`, { method: 'PATCH', body: { address: 'Jalan Rahasia 1' } });
  await book(world, clinic);
  await asDesk(`/v1/patients/${two}/merge`, { body: { into: one } });
  const { body } = await asDesk(`/v1/patients/changes?after=${meta.sequence}`);
  expect(
    body.data.map(({ type, patient_id, merged_into }: Record<string, string | null>) => [
      type,
      patient_id,
      merged_into,
    ]),
  ).toEqual([
    ['patient.created', one, null],
    ['patient.created', two, null],
    ['patient.updated', one, null],
    ['patient.merged', two, one],
  ]);
  expect(JSON.stringify(body)).not.toMatch(/Rina|Rahasia/);
  const again = await asDesk(`/v1/patients/changes?after=${body.meta.sequence}`);
  expect(again.body).toMatchObject({ data: [], meta: { more: false } });
  const first = await asDesk(`/v1/patients/changes?after=${meta.sequence}&limit=1`);
  expect(first.body).toMatchObject({ data: [{ patient_id: one }], meta: { more: true } });
});

it('is for the desk and for keys that read events', async () => {
  const changes = '/v1/patients/changes?after=0';
  expect((await world.request(changes, { token: clinic.doctor.token })).status).toBe(403);
  const key = await addKey(world, ['events:read']);
  expect((await world.request(changes, { token: key.token })).status).toBe(200);
  const poor = await addKey(world, ['patients:read']);
  expect((await world.request(changes, { token: poor.token })).body.code).toBe('insufficient_scope');
  expect((await asDesk('/v1/patients/changes?after=999999')).body.code).toBe('changes_gone');
});

it('begins with 0 at the first event that is stored, also where others were deleted', async () => {
  await book(world, clinic);
  const id = await addPatient('Rina Lestari');
  await world.db.delete(bookingEvents).where(ne(bookingEvents.bookingId, id));
  const { body } = await asDesk('/v1/patients/changes?after=0');
  expect(body.data).toMatchObject([{ type: 'patient.created', patient_id: id }]);
});

it('lists the patients who were changed since, page by page, each with when', async () => {
  world.clock.now += 60_000;
  const since = new Date(world.clock.now).toISOString();
  const ids = [await addPatient('Zainal'), await addPatient('Ani'), await addPatient('Budi Dua')];
  const path = `/v1/patients?updated_since=${since}`;
  const page = (await asDesk(`${path}&limit=2`)).body;
  const rest = (await asDesk(`${path}&limit=2&cursor=${page.meta.next_cursor}`)).body;
  const all = [...page.data, ...rest.data];
  expect(all.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(all.every(({ updated_at }) => updated_at === since)).toBe(true);
  expect(rest.meta.next_cursor).toBeNull();
  expect((await asDesk(`${path}&q=ani`)).status).toBe(400);
  expect((await asDesk('/v1/patients?updated_since=kemarin')).status).toBe(400);
});

it('narrows the list of bookings and its counts to those that were changed since', async () => {
  const first = await book(world, clinic);
  world.clock.now += 60_000;
  const since = new Date(world.clock.now).toISOString();
  const second = await book(world, clinic, { schedule_time: '14:00:00' });
  const list = async (more: string) => (await asDesk(`/v1/bookings?updated_since=${since}${more}`)).body;
  const date = (await asDesk(`/v1/bookings/${first}`)).body.data.schedule_date;
  const { data, meta } = await list(`&date=${date}`);
  expect(data.map(({ id }: { id: string }) => id)).toEqual([second]);
  expect(meta.counts.waiting).toBe(1);
  const code = (await asDesk(`/v1/bookings/${first}`)).body.data.booking_code;
  expect((await list(`&q=${code}`)).data).toEqual([]);
});
