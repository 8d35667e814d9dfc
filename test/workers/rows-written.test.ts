import { expect, it } from 'vitest';
import { sessions } from '../../src/core/tables/catalog.ts';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createClinic } from '../support/clinic-people.ts';
import { costing } from '../support/counted-d1.ts';
import { bpjsSettings } from '../support/peers/bpjs.ts';
import { satusehatSettings } from '../support/peers/satusehat.ts';
import { createWorld, password, type Sent, type World } from '../support/world.ts';

/** The same world, and the rows that each of its requests writes. */
const counted = (world: World) => {
  const request = costing(world);
  return async (path: string, sent: Sent) => {
    const { cost, data } = await request(path, { body: {}, ...sent });
    return { rows: cost.written, data };
  };
};

/** The rows that each kind of request writes. */
const measure = async (RATE_LIMIT: 'on' | 'off', settings = {}) => {
  const world = await createWorld({ RATE_LIMIT, ...settings });
  const clinic = await createClinic(world);
  await world.db.update(sessions).set({ bpjsPoliCode: 'ANA' });
  const request = counted(world);
  const [{ token }, staff] = [clinic.patient, clinic.staff];
  const at = (time: string) => bookingInput(clinic.practice, { schedule_time: time });
  const book = (time: string, headers = {}) => request('/v1/bookings', { token, body: at(time), headers });
  const first = await book('09:00:00');
  const second = await book('09:30:00');
  const practice = await createPractice(world, { slotMinutes: 90 });
  const bookLong = (schedule_date: string) =>
    request('/v1/bookings', {
      token,
      body: bookingInput(practice, { schedule_date, schedule_time: '08:00:00' }),
    });
  // The first booking of a doctor and session also gives their queue its letters.
  await bookLong('2026-11-24');
  const long = await bookLong('2026-11-25');
  const keyed = await book('10:00:00', { 'Idempotency-Key': 'sekali' });
  const does = async (verb: string, body = {}, by = staff.token) =>
    (await request(`/v1/bookings/${first.data.id}/${verb}`, { token: by, body })).rows;
  const approve = await does('approve');
  const move = await does('reschedule', { schedule_date: '2026-11-23', schedule_time: '10:30:00' }, token);
  await does('approve');
  const visit = {
    checkIn: await does('check-in'),
    call: await does('call'),
    complete: await does('complete'),
  };
  const cancel = await request(`/v1/bookings/${keyed.data.id}/cancel`, { token });
  const person = { name: 'Sari Wulandari', email: 'sari@klinik.example', device_id: '' };
  const phone = { phone_number: '81234567890', phone_country_code: '62' };
  const secret = { password, password_confirmation: password };
  const registration = await request('/v1/auth/register', { body: { ...person, ...phone, ...secret } });
  const logIn = () => request('/v1/auth/login', { body: { email: person.email, password } });
  await logIn();
  const login = await logIn();
  const refresh = await request('/v1/auth/refresh', { body: { refresh_token: login.data.refresh_token } });
  return {
    booking: second.rows,
    long: long.rows,
    keyed: keyed.rows,
    approve,
    move,
    ...visit,
    cancel: cancel.rows,
    registration: registration.rows,
    login: login.rows,
    refresh: refresh.rows,
  };
};

// A limit that rises is a row more on every such request: it is raised on purpose, or not at all.
const limits = {
  booking: 10,
  // A visit of more than an hour.
  long: 11,
  keyed: 12,
  approve: 4,
  move: 8,
  checkIn: 4,
  call: 4,
  complete: 4,
  cancel: 4,
  registration: 17,
  login: 7,
  refresh: 4,
};

it('D1 bills a booking ten rows, one with a key twelve, and a change of its state four', async () => {
  expect(await measure('off')).toEqual(limits);
});

it('a step that is reported costs one row for each system that it is reported to', async () => {
  const reports = { ...bpjsSettings, ...satusehatSettings };
  expect(await measure('off', reports)).toEqual({
    ...limits,
    // To BPJS: that it is booked; of an approved one that moves, that it is off.
    approve: 5,
    move: 9,
    // To both.
    checkIn: 6,
    call: 6,
    complete: 6,
  });
});

it('counting attempts adds to a login, a refresh and a registration, and to nothing else', async () => {
  expect(await measure('on')).toEqual({ ...limits, registration: 25, login: 14, refresh: 10 });
});
