import assert from 'node:assert/strict';
import { type Called, call, demo, tokenOf } from './people.ts';

/**
 * A zone in which it is between 8.45 and 9.44 now: no date runs out while the scenarios are played, and until ten the
 * demo fills its day with the same slots.
 */
export const zoneAtNine = (now: Date): string => {
  const hourUtc = now.getUTCHours();
  const localHour = now.getUTCMinutes() < 45 ? 9 : 8;
  const ahead = ((localHour - hourUtc + 35) % 24) - 11;
  const indonesian = { 7: 'Asia/Jakarta', 8: 'Asia/Makassar', 9: 'Asia/Jayapura' }[ahead];
  if (indonesian !== undefined) return indonesian;
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`;
};

/** The settings of the scenarios' clinic: its day is ahead, whatever the local time. */
export const settings = {
  RATE_LIMIT: 'off',
  MIN_NOTICE_MINUTES: '0',
  // A receiver of webhooks on this machine.
  WEBHOOK_ALLOW_PRIVATE: 'true',
  CLINIC_TIME_ZONE: zoneAtNine(new Date()),
};

/** The clinic's date. */
export const clinicDate = (daysAhead = 0): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: settings.CLINIC_TIME_ZONE }).format(
    Date.now() + daysAhead * 86_400_000,
  );

/** A date as a field shows it: 26/11/2026. */
export const written = (date: string): string => date.split('-').reverse().join('/');

const succeeded = ({ status, body }: Called) => {
  assert.ok(status < 300, `${status} ${JSON.stringify(body)}`);
  return body.data;
};

let nth = 0;

export interface Practice {
  doctor: string;
  name: string;
  session: string;
  sessionName: string;
}

/** A doctor of one's own with a session of one's own, who practises around the clock unless hours are given. */
export const makePractice = async (
  url: string,
  capacity = 1,
  approval = 'manual',
  hours: { start_time?: string; end_time?: string; slot_minutes?: number } = {},
): Promise<Practice> => {
  nth += 1;
  const own = `${nth}${(process.pid % 1_296).toString(36)}`;
  const token = await tokenOf(url, demo.admin);
  const names = { name: `Ratna ${own}`, sessionName: `Gigi ${own}` };
  const doctor = succeeded(
    await call(url, 'POST', '/v1/admin/doctors', {
      token,
      body: { name: names.name, title: 'dr.', specialty: 'Penyakit Dalam' },
    }),
  );
  const session = succeeded(
    await call(url, 'POST', '/v1/admin/sessions', { token, body: { name: names.sessionName, approval } }),
  );
  for (let weekday = 1; weekday <= 7; weekday++)
    succeeded(
      await call(url, 'POST', '/v1/admin/schedules', {
        token,
        body: {
          doctor_id: doctor.id,
          session_id: session.id,
          weekday,
          start_time: '00:00:00',
          end_time: '24:00:00',
          slot_minutes: 30,
          capacity,
          room: 'Poli 9',
          ...hours,
        },
      }),
    );
  return { doctor: doctor.id, session: session.id, ...names };
};

/** The free slots of a date, the soonest first. */
export const freeSlots = async (url: string, { doctor }: Practice, date: string) => {
  const path = `/v1/doctors/${doctor}/slots?from=${date}&to=${date}`;
  return succeeded(await call(url, 'GET', path)) as { schedule_date: string; schedule_time: string }[];
};

/** Books for the owner of the token. */
export const bookFor = async (
  url: string,
  token: string,
  { doctor, session }: Practice,
  slot: { schedule_date: string; schedule_time: string },
  more: object = {},
) => {
  const { schedule_date, schedule_time } = slot;
  const body = { doctor_id: doctor, session_id: session, schedule_date, schedule_time, ...more };
  return succeeded(await call(url, 'POST', '/v1/bookings', { token, body })) as { id: string };
};

/** The desk's steps for a booking, in this order. */
export const deskDoes = async (url: string, id: string, ...verbs: string[]): Promise<void> => {
  const token = await tokenOf(url, demo.staff);
  for (const verb of verbs)
    succeeded(await call(url, 'POST', `/v1/bookings/${id}/${verb}`, { token, body: {} }));
};
