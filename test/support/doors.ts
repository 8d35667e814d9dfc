import { eq } from 'drizzle-orm';
import { bookings } from '../../src/core/tables/bookings.ts';
import { clinic as clinicTable } from '../../src/core/tables/catalog.ts';
import { createPasskey } from './authenticator.ts';
import { bookingInput } from './clinic.ts';
import { act, book, detail } from './clinic-people.ts';
import { appCode } from './factors.ts';
import { addPasskey, beginPasskey } from './passkeys.ts';
import type { Scene } from './scene.ts';

/** Values by the name of a field, and where only one route takes them by the name and its path. */
export type Pools = Record<string, unknown[]>;

const offeredDay = '2026-11-26';

/** A seat that is held for the scene's patient, given back by a stranger. */
const offerSeat = async ({ world, clinic }: Scene): Promise<Pools> => {
  const { others, patient, stranger } = clinic;
  const taken = bookingInput(others, { schedule_date: offeredDay });
  const { token } = stranger;
  const { body: made } = await world.request('/v1/bookings', { token, body: taken });
  const wish = { session_id: others.sessionId, from: offeredDay, to: offeredDay, latest_time: '09:00:00' };
  const { body: entry } = await world.request('/v1/waitlist', { token: patient.token, body: wish });
  await act(world, stranger, made.data.id, 'cancel');
  const { body: list } = await world.request('/v1/waitlist', { token: patient.token });
  const offer = list.data.find(({ id }: { id: string }) => id === entry.data.id)?.offer;
  if (!offer) throw new Error(`Nothing is offered: ${JSON.stringify(list)}`);
  return Object.fromEntries(
    ['accept', 'decline'].flatMap((answer) => [
      [`id /v1/waitlist/{id}/${answer}`, [entry.data.id]],
      [`booking_id /v1/waitlist/{id}/${answer}`, [offer.booking_id]],
    ]),
  );
};

/** Records without an account: two of one patient, and one that is handed over; the first two are at the clinic today. */
const addRecords = async ({ world, clinic, people }: Scene): Promise<Pools> => {
  const { token } = people.staff;
  const add = async (name: string): Promise<string> => {
    const record = { name, birth_date: '1970-05-01' };
    return (await world.request('/v1/patients', { token, body: record })).body.data.id;
  };
  const [one, same, handed] = [await add('Ibu Sari'), await add('Ibu Sari W.'), await add('Pak Budi')];
  const claim = await world.request(`/v1/patients/${handed}/claim-code`, { method: 'POST', token });
  const visits: string[] = [];
  for (const [patient_id, schedule_time] of [
    [one, '13:00:00'],
    [same, '13:30:00'],
  ]) {
    const id = await book(world, clinic, { patient_id, schedule_time }, token);
    await act(world, people.staff, id, 'check-in');
    await act(world, people.staff, id, 'call');
    visits.push(id);
  }
  const codes: unknown[] = [];
  for (const id of visits) codes.push((await detail(world, people.staff, id)).booking_code);
  return {
    'code /v1/check-ins': codes,
    'birth_date /v1/check-ins': ['1970-05-01'],
    'id /v1/patients/{id}/merge': [same],
    'into /v1/patients/{id}/merge': [one],
    'code /v1/family/claim': [claim.body.data.code],
    'birth_date /v1/family/claim': ['1970-05-01'],
    'id /v1/bookings/{id}/undo': visits,
    'version /v1/bookings/{id}/undo': [2, 3, 4, 5],
    'id /v1/bookings/{id}/skip': visits,
  };
};

/** Visits of today that have begun or soon will, and one of another day whose patient a reminder asked. */
const addVisits = async ({ world, clinic, people }: Scene): Promise<Pools> => {
  const add = async (fields: Record<string, unknown>): Promise<string> => {
    const id = await book(world, clinic, fields);
    await act(world, people.staff, id, 'approve');
    return id;
  };
  const missed = await add({ schedule_date: '2026-11-23', schedule_time: '08:00:00' });
  const coming = await add({ schedule_date: '2026-11-23', schedule_time: '14:30:00' });
  const asked = await add({ schedule_date: '2026-11-27', schedule_time: '09:00:00' });
  await world.db.update(bookings).set({ askedAt: world.clock.now }).where(eq(bookings.id, asked));
  return {
    'id /v1/bookings/{id}/no-show': [missed],
    'id /v1/bookings/{id}/arrive': [coming],
    'id /v1/bookings/{id}/confirm': [asked],
  };
};

/** A calendar of somebody, which an admin ends. */
const addCalendar = async ({ world, clinic }: Scene): Promise<Pools> => {
  const { id, token } = clinic.stranger;
  const feed = await world.request('/v1/calendar-feeds', { token, body: {} });
  const path = '/v1/admin/people/{id}/calendar-feeds/{feed_id}';
  return { [`id ${path}`]: [id], [`feed_id ${path}`]: [feed.body.data.id] };
};

const someDays = (path: string): Pools => ({
  [`from ${path}`]: ['2026-11-24', '2026-11-25'],
  [`to ${path}`]: ['2026-11-27', '2026-12-01'],
  [`earliest_time ${path}`]: ['08:00:00', '09:00:00'],
  [`latest_time ${path}`]: ['12:00:00', '15:00:00'],
});

/** Values for the routes that need a secret, or several right steps before them. */
export const openDoors = async (scene: Scene): Promise<Pools> => {
  const { world, people, ids, further } = scene;
  await addPasskey(world, people.patient.token, await createPasskey());
  return {
    ...Object.fromEntries(ids.map(([prefix, id]) => [`id ${prefix}`, [id]])),
    'token /v1/feeds/': further.flatMap(([name, token]) => (name === '{token}' ? [token] : [])),
    ...someDays('/v1/waitlist'),
    ...someDays('/v1/bookings/{id}/follow-up'),
    ...(await addRecords(scene)),
    ...(await offerSeat(scene)),
    ...(await addVisits(scene)),
    ...(await addCalendar(scene)),
  };
};

/**
 * Values that are valid for a few minutes or once: the codes of apps and mails, a new e-mail, the answer of a passkey.
 */
export const keepOpen = async (
  { world, people, clinic }: Scene,
  { guarded, begun }: { guarded: string; begun: string },
  nth: number,
): Promise<Pools> => {
  const { clock, mails } = world;
  const mailed = mails.flatMap(({ text }) => /\n(\d{4} \d{4})\n/.exec(text)?.[1] ?? []).slice(-3);
  // Others make a new one now and then.
  const [{ poster = null } = {}] = await world.db
    .select({ poster: clinicTable.posterSecret })
    .from(clinicTable);
  const fresh = [`orang${nth}@klinik.example`];
  const codes: Pools = {
    'code /v1/auth/login/second-factor': [appCode(guarded, clock.now)],
    'code /v1/auth/second-factors/totp/confirm': [appCode(begun, clock.now)],
    'code /v1/auth/email/verify': mailed,
    'code /v1/auth/email/change/verify': mailed,
    'email /v1/auth/email/change': fresh,
    'email /v1/admin/people': fresh,
    'poster /v1/bookings/{id}/arrive': [poster],
  };
  // A key is made for it, which takes a while.
  if (nth % 6 > 0) return codes;
  const { email } = clinic.stranger;
  await world.request('/v1/auth/code', { body: { email } });
  const byMail = /\n(\d{3} \d{3})\n/.exec(world.mails.findLast(({ to }) => to === email)?.text ?? '')?.[1];
  Object.assign(codes, { 'email /v1/auth/code/verify': [email], 'code /v1/auth/code/verify': [byMail] });
  const slot = bookingInput(clinic.practice, { schedule_date: '2026-12-01', schedule_time: '10:00:00' });
  const held = await world.request('/v1/holds', { token: people.patient.token, body: slot });
  if (held.status === 201) codes['id /v1/holds/{id}'] = [held.body.data.id];
  const asked = await beginPasskey(world, people.patient.token);
  if (asked.status !== 200) return codes;
  const { challenge, public_key } = asked.body.data;
  const credential = await (await createPasskey()).create(public_key);
  const path = '/v1/auth/second-factors/passkeys';
  return { ...codes, [`challenge ${path}`]: [challenge], [`credential ${path}`]: [credential] };
};
