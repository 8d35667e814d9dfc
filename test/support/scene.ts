import type { Endpoint, Role } from '../../src/core/endpoint/endpoint.ts';
import { clinic as clinics, doctorPages, doctorSlugs } from '../../src/core/tables/catalog.ts';
import { contracts } from '../../src/interface/contracts.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { bookingInput, createClosure, createSchedule } from './clinic.ts';
import { book, createClinic } from './clinic-people.ts';
import { addExchange } from './exchanges.ts';
import { codesOn, hold } from './holds.ts';
import { addDevice } from './people.ts';
import { findRecord } from './records.ts';
import { createWorld } from './world.ts';

export const endpoints: readonly Endpoint[] = Object.values(contracts);
export const nameOf = ({ method, path }: Endpoint): string => `${method.toUpperCase()} ${path}`;

const roles: readonly Role[] = ['patient', 'doctor', 'staff', 'admin'];
const mayCall = ({ access }: Endpoint, role: Role) => !Array.isArray(access) || access.includes(role);

/** The beginnings of the paths with `{id}` that none of these is for. */
const listUnnamed = (ids: readonly (readonly [prefix: string, id: string])[]): string[] => {
  const prefixes = endpoints.flatMap(({ path }) => /^(.+\/)\{id\}/.exec(path)?.[1] ?? []);
  return [...new Set(prefixes)].filter((prefix) => !ids.some(([known]) => known === prefix));
};

/** A clinic in which every path can name an existing record, with a person of each role. */
export const createScene = async (settings: Record<string, string> = {}) => {
  const world = await createWorld({ ...codesOn, ...settings });
  // Mail reaches people here, and nobody has proved their e-mail.
  await world.db.update(clinics).set({ maxUnprovedBookings: 0 });
  const clinic = await createClinic(world, { capacity: 3 });
  const { practice, patient, stranger, staff, admin, doctor } = clinic;
  const webhook = await world.request('/v1/admin/webhooks', {
    token: admin.token,
    body: { url: 'https://hooks.klinik.example/janji' },
  });
  const bookingId = await book(world, clinic);
  await deliverWebhooks(world.deps);
  const webhookId = webhook.body.data.id as string;
  const deliveries = await world.request(`/v1/admin/webhooks/${webhookId}/deliveries`, {
    token: admin.token,
  });
  const child = await world.request('/v1/family', {
    token: patient.token,
    body: { name: 'Anak Pasien', birth_date: '2019-04-23', relation: 'child' },
  });
  const walkIn = await world.request('/v1/patients', {
    token: staff.token,
    body: { name: 'Pak Darmo', birth_date: '1960-08-17' },
  });
  const walkInId = walkIn.body.data.id as string;
  await book(world, clinic, { patient_id: walkInId, schedule_time: '15:30:00' }, staff.token);
  const page = { doctorId: practice.doctorId, slug: 'dr-sari-wulandari' };
  const times = { createdAt: world.clock.now, updatedAt: world.clock.now };
  await world.db.insert(doctorPages).values({ ...page, published: true, ...times });
  await world.db.insert(doctorSlugs).values(page);
  const scheduleId = await createSchedule(world, { ...practice, startTime: '17:00:00', endTime: '18:00:00' });
  const closureId = await createClosure(world, { startDate: '2026-12-24', doctorId: practice.doctorId });
  const day = '2026-12-07';
  const entry = await world.request('/v1/waitlist', {
    token: patient.token,
    body: { session_id: practice.sessionId, from: day, to: day },
  });

  const { token } = patient;
  const weekly = bookingInput(practice, { schedule_date: '2026-11-30', schedule_time: '14:00:00', count: 2 });
  const series = await world.request('/v1/bookings/series', { token, body: weekly });
  const feed = await world.request('/v1/calendar-feeds', { token, body: {} });
  const strangersFeed = await world.request('/v1/calendar-feeds', { token: stranger.token, body: {} });

  const held = await hold(
    world,
    practice,
    { token },
    { schedule_date: '2026-11-30', schedule_time: '13:00:00' },
  );

  /** The record of `{id}` in a path, by caller. */
  const own: readonly [prefix: string, id: string][] = [
    ['/v1/bookings/', bookingId],
    ['/v1/bookings/series/', series.body.data.id],
    ['/v1/calendar-feeds/', feed.body.data.id],
    ['/v1/doctors/', practice.doctorId],
    ['/v1/admin/doctors/', practice.doctorId],
    ['/v1/admin/sessions/', practice.sessionId],
    ['/v1/admin/schedules/', scheduleId],
    ['/v1/admin/closures/', closureId],
    ['/v1/admin/webhooks/', webhookId],
    ['/v1/admin/exchanges/', await addExchange(world, bookingId)],
    ['/v1/admin/people/', stranger.id],
    ['/v1/family/', child.body.data.id],
    ['/v1/patients/', walkInId],
    ['/v1/holds/', held.body.data.id],
    ['/v1/waitlist/', entry.body.data.id],
    ['/v1/admin/waitlist/', entry.body.data.id],
  ];
  const ids = [...own];
  const ofPractice = { doctor_id: practice.doctorId, session_id: practice.sessionId };
  const place = { world, patient, staff, admin, practice: ofPractice };
  const visitImportId = await findRecord(place, '/v1/admin/imports/{id}/visits');
  for (const prefix of listUnnamed(own)) ids.push([prefix, await findRecord(place, `${prefix}{id}`)]);
  const deliveryId = deliveries.body.data[0].id as string;
  const strangersDevice = (await addDevice(world, stranger.id)).deviceLoginId;
  const further: readonly [name: string, id: string][] = [
    ['{delivery_id}', deliveryId],
    ['{device_id}', strangersDevice],
    ['{feed_id}', strangersFeed.body.data.id],
    ['{token}', feed.body.data.path.slice('/v1/feeds/'.length, -'.ics'.length)],
  ];
  return {
    world,
    clinic,
    people: { patient, doctor, staff, admin },
    ids,
    further,
    deliveryId,
    bookingId,
    visitImportId,
  };
};

export type Scene = Awaited<ReturnType<typeof createScene>>;

/** The path of an endpoint with an existing record, or with `id` in its place. */
export const pathFor = (scene: Scene, { path }: Endpoint, id?: string): string => {
  const own =
    path === '/v1/admin/imports/{id}/visits'
      ? scene.visitImportId
      : scene.ids.find(([prefix]) => path.startsWith(`${prefix}{`))?.[1];
  const named = path.replace('{id}', id ?? own ?? '');
  return scene.further.reduce((whole, [name, known]) => whole.replace(name, id ?? known), named);
};

/** A token with which the endpoint can be called; none where it needs none. */
export const tokenFor = (scene: Scene, contract: Endpoint): string | undefined => {
  if (contract.access === 'public') return contract.holdSecret ? scene.people.patient.token : undefined;
  // With every field: some are the clinic's alone.
  if (contract.method === 'patch' && contract.path === '/v1/bookings/{id}') return scene.people.staff.token;
  return scene.people[roles.find((role) => mayCall(contract, role)) ?? 'admin'].token;
};

/** Each role that may not call the endpoint. */
export const refusedRoles = (contract: Endpoint): Role[] => roles.filter((role) => !mayCall(contract, role));
