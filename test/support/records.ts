import { bookings } from '../../src/core/tables/bookings.ts';
import { runWaitlist } from '../../src/modules/booking/waitlist/job.ts';
import { createClosure } from './clinic.ts';
import { act } from './clinic-people.ts';
import { documentedDay } from './documented.ts';
import { addExchange } from './exchanges.ts';
import { addFactor } from './factors.ts';
import { addKey } from './keys.ts';
import { addMatch } from './matches.ts';
import { addDevice } from './people.ts';
import type { World } from './world.ts';

type Person = { id: string; token: string };

/** A clinic in which records can be made: that of a test, or the demo. */
export interface Place {
  world: World;
  patient: Person;
  staff: Person;
  admin: Person;
  practice: { doctor_id: string; session_id: string };
}

export const makeBooking = async (
  { world, patient, practice }: Place,
  schedule_time = '09:30:00',
): Promise<string> => {
  const body = { ...practice, schedule_date: documentedDay, schedule_time };
  return (await world.request('/v1/bookings', { token: patient.token, body })).body.data.id;
};

/** The steps that a booking needs before these requests are possible. */
const before: Readonly<Record<string, readonly string[]>> = {
  checkInBooking: ['approve'],
  callBooking: ['approve', 'check-in'],
  skipBooking: ['approve', 'check-in', 'call'],
  completeBooking: ['approve', 'check-in', 'call'],
  noShowBooking: ['approve'],
  undoBooking: ['approve', 'check-in'],
};

export const makeWalkIn = async ({ world, staff }: Place): Promise<string> => {
  const body = { name: 'Kirana', birth_date: '2019-04-23' };
  return (await world.request('/v1/patients', { token: staff.token, body })).body.data.id;
};

const makeChild = async ({ world, patient }: Place): Promise<string> => {
  const body = { name: 'Kirana', birth_date: '2019-04-23', relation: 'child' };
  return (await world.request('/v1/family', { token: patient.token, body })).body.data.id;
};

const makeWebhook = async ({ world, admin }: Place): Promise<string> => {
  const body = { url: 'https://hooks.klinik.example/janji' };
  return (await world.request('/v1/admin/webhooks', { token: admin.token, body })).body.data.id;
};

/** A doctor with a published page. */
const publishPage = async ({ world, admin, practice }: Place): Promise<string> => {
  const path = `/v1/admin/doctors/${practice.doctor_id}/page`;
  await world.request(path, { method: 'PATCH', token: admin.token, body: { published: true } });
  return practice.doctor_id;
};

export const makeFeed = async ({ world, patient }: Place): Promise<{ id: string; path: string }> =>
  (await world.request('/v1/calendar-feeds', { token: patient.token, body: {} })).body.data;

/** An entry of the waitlist, to which a free seat is offered where the operation answers an offer. */
const joinWaitlist = async ({ world, patient, practice }: Place, operation: string): Promise<string> => {
  const body = { session_id: practice.session_id, from: documentedDay, to: documentedDay };
  const { data } = (await world.request('/v1/waitlist', { token: patient.token, body })).body;
  if (operation.endsWith('Offer')) await runWaitlist(world.deps, world.clock.now);
  return data.id;
};

/** For the records that `{id}` names, those that no clinic begins with: how one is made, by the beginning of the path. */
const made: readonly [prefix: string, make: (place: Place, operation: string) => Promise<string>][] = [
  [
    '/v1/bookings/{',
    async (place, operation) => {
      const booking = await makeBooking(place);
      for (const verb of before[operation] ?? []) await act(place.world, place.staff, booking, verb);
      if (operation === 'confirmBooking')
        await place.world.db.update(bookings).set({ askedAt: place.world.clock.now });
      if (operation === 'noShowBooking') place.world.clock.now += 6 * 3_600_000;
      return booking;
    },
  ],
  [
    '/v1/bookings/series/{',
    async ({ world, patient, practice }) => {
      const body = { ...practice, schedule_date: documentedDay, schedule_time: '10:30:00', count: 2 };
      return (await world.request('/v1/bookings/series', { token: patient.token, body })).body.data.id;
    },
  ],
  ['/v1/doctors/{id}/page', publishPage],
  ['/v1/admin/doctors/{id}/page', publishPage],
  [
    '/v1/holds/{',
    async ({ world, patient, practice }) => {
      const body = { ...practice, schedule_date: documentedDay, schedule_time: '11:00:00' };
      return (await world.request('/v1/holds', { token: patient.token, body })).body.data.id;
    },
  ],
  ['/v1/waitlist/{', joinWaitlist],
  ['/v1/admin/waitlist/{', joinWaitlist],
  ['/v1/calendar-feeds/{', async (place) => (await makeFeed(place)).id],
  ['/v1/patients/{', makeWalkIn],
  ['/v1/family/{', makeChild],
  ['/v1/record-matches/{', async ({ world, staff }) => (await addMatch(world, staff.token)).id],
  ['/v1/admin/closures/{', ({ world }) => createClosure(world, { startDate: '2026-12-24' })],
  ['/v1/admin/webhooks/{', makeWebhook],
  ['/v1/admin/exchanges/{', async (place) => addExchange(place.world, await makeBooking(place))],
  ['/v1/auth/devices/{', async ({ world, patient }) => (await addDevice(world, patient.id)).deviceLoginId],
  [
    '/v1/admin/imports/{id}/visits',
    async ({ world, admin }) =>
      (await world.request('/v1/admin/imports', { token: admin.token, body: { kind: 'visits' } })).body.data
        .id,
  ],
  [
    '/v1/admin/imports/{',
    async ({ world, admin }) =>
      (await world.request('/v1/admin/imports', { token: admin.token, body: {} })).body.data.id,
  ],
  ['/v1/admin/api-keys/{', async ({ world }) => (await addKey(world, ['bookings:read'])).id],
  ['/v1/auth/second-factors/{', ({ world, patient }) => addFactor(world, patient.id)],
];

/** The first record of a list. */
const firstOfList = async ({ world, admin }: Place, path: string): Promise<string | undefined> => {
  const { data } = (await world.request(path, { token: admin.token })).body;
  return Array.isArray(data) ? data[0]?.id : undefined;
};

/** How such a record is made, with the beginning of the paths that it is for. */
export const findMaker = (path: string) => made.find(([prefix]) => path.startsWith(prefix));

/** A record that `{id}` of a path names: one that is made, or the first of the list of its kind. */
export const findRecord = async (place: Place, path: string, operation = ''): Promise<string> => {
  const made = await findMaker(path)?.[1](place, operation);
  const [list = ''] = path.split('/{id}');
  const id = made ?? (await firstOfList(place, list));
  if (id !== undefined) return id;
  throw new Error(
    `No record for ${path}, and ${list} lists none: add \`['${list}/{', (place) => …],\` to \`made\` of test/support/records.ts.`,
  );
};
