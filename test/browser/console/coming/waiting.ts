import assert from 'node:assert/strict';
import { clinicDate } from '../../support/clinic.ts';
import { call, demo, tokenOf } from '../../support/people.ts';

const asStaff = async (url: string, method: string, path: string, body?: object) => {
  const token = await tokenOf(url, demo.staff);
  const answer = await call(url, method, path, { token, ...(body !== undefined && { body }) });
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body.data;
};

let nth = 0;

/** A record that the desk has made. */
export const newRecord = async (url: string, named?: string): Promise<{ id: string; name: string }> => {
  nth += 1;
  const name = named ?? `Pasien Uji ${Date.now().toString(36)}${nth}`;
  const phone_number = `8${Date.now()}${nth}`.slice(-12);
  return asStaff(url, 'POST', '/v1/patients', { name, phone_number, phone_country_code: '62' });
};

export interface Seat {
  doctor_id: string;
  doctor_name: string;
  session_id: string;
  session_name: string;
  schedule_date: string;
  schedule_time: string;
}

/** The free seats of a day, the first doctor's before the others'. */
export const seatsOf = async (url: string, date: string): Promise<Seat[]> =>
  asStaff(url, 'GET', `/v1/slots?date=${date}`);

const placeOf = ({ doctor_id, session_id, schedule_date, schedule_time }: Seat) => ({
  doctor_id,
  session_id,
  schedule_date,
  schedule_time,
});

export const bookSeat = async (url: string, seat: Seat, patient: { id: string }): Promise<{ id: string }> =>
  asStaff(url, 'POST', '/v1/bookings', { ...placeOf(seat), patient_id: patient.id });

/** Puts somebody on the waitlist, for hours at which nothing is ever free unless others are named. */
export const waitFor = async (
  url: string,
  { session_id, schedule_date }: Seat,
  patient: { id: string },
  hours: object = { earliest_time: '02:00:00', latest_time: '02:01:00' },
): Promise<{ id: string }> =>
  asStaff(url, 'POST', '/v1/waitlist', {
    session_id,
    from: schedule_date,
    to: schedule_date,
    patient_id: patient.id,
    ...hours,
  });

export interface Waiting {
  id: string;
  patient: { id: string; name: string };
  earliest_time: string | null;
  latest_time: string | null;
  offer: { booking_id: string; held_until: string } | null;
}

/** The waitlist of a session as the desk reads it. */
export const waitlistOf = async (url: string, sessionId: string): Promise<Waiting[]> =>
  asStaff(url, 'GET', `/v1/admin/waitlist?session_id=${sessionId}&limit=100`);

/** A seat of another day that is held for somebody, and somebody else who waits for the same session. */
export const holdSeat = async (url: string, daysAhead = 1, named: readonly string[] = []) => {
  const date = clinicDate(daysAhead);
  const [seat] = await seatsOf(url, date);
  assert.ok(seat, 'The demo clinic has a free seat.');
  const holder = await newRecord(url);
  const first = await newRecord(url, named[0]);
  const second = await newRecord(url, named[1]);
  const booked = await bookSeat(url, seat, holder);
  const time = { earliest_time: seat.schedule_time, latest_time: seat.schedule_time };
  const entry = await waitFor(url, seat, first, { ...time, doctor_id: seat.doctor_id });
  await waitFor(url, seat, second);
  await asStaff(url, 'POST', `/v1/bookings/${booked.id}/cancel`, {});
  const list = await waitlistOf(url, seat.session_id);
  const offer = list.find(({ id }) => id === entry.id)?.offer;
  assert.ok(offer, 'The seat that came free is offered.');
  return { seat, date, entry, first, second, offer };
};
