// A day of a console that is as full as a day may be: the rows under which a press has to be quick.

import { demoAccounts, demoPassword } from '../src/modules/demo/demo.ts';

type Body = Record<string, unknown>;

const caller = (url: string) => async (method: string, path: string, token: string | null, body?: Body) => {
  const response = await fetch(`${url}/v1${path}`, {
    method,
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as { data: Record<string, string> };
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
  return answer.data;
};

const asRole = async (call: ReturnType<typeof caller>, role: 'admin' | 'staff'): Promise<string> => {
  const account = demoAccounts.find((one) => one.role === role);
  const { access_token: token } = await call('POST', '/auth/login', null, {
    email: account?.email,
    password: demoPassword,
  });
  if (token === undefined) throw new Error(`The demo has no ${role}.`);
  return token;
};

/** Fills tomorrow with so many bookings of as many patients; gives the date. Tomorrow, since no hour of it is past. */
export const fillDay = async (url: string, rows: number): Promise<string> => {
  const call = caller(url);
  const [admin, staff] = [await asRole(call, 'admin'), await asRole(call, 'staff')];
  const { today = '' } = await call('GET', '/clinic', null);
  const date = new Date(Date.parse(`${today}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
  const doctor = await call('POST', '/admin/doctors', admin, { name: 'Ratna Dewi', title: 'dr.' });
  const session = await call('POST', '/admin/sessions', admin, { name: 'Kontrol', approval: 'automatic' });
  const hours = { start_time: '08:00:00', end_time: '18:00:00', slot_minutes: 30, capacity: 20 };
  const place = { doctor_id: doctor.id, session_id: session.id };
  await call('POST', '/admin/schedules', admin, { ...place, ...hours, weekday });
  for (let nth = 0; nth < rows; nth++) {
    const minutes = 8 * 60 + Math.floor(nth / hours.capacity) * hours.slot_minutes;
    const schedule_time = `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${minutes % 60 || '00'}:00`;
    const patient = await call('POST', '/patients', staff, {
      name: `Pasien Ke ${nth + 1}`,
      phone_country_code: '62',
      phone_number: `81${String(200_000_000 + nth)}`,
    });
    const booking = { ...place, schedule_date: date, schedule_time, patient_id: patient.id };
    await call('POST', '/bookings', staff, booking);
  }
  return date;
};
