import type { Page } from 'playwright-core';
import { demoIds } from '../../../src/modules/demo/demo.ts';
import type { Queue } from '../../../web/waiting-room/logic/queue.ts';
import { call, demo, tokenOf } from '../support/people.ts';

/** A doctor of the served clinic whose hours last all day, and a desk that checks patients in and calls them. */
export const openDesk = async (url: string, room: string) => {
  const admin = await tokenOf(url, demo.admin);
  const staff = await tokenOf(url, demo.staff);
  const { body: made } = await call(url, 'POST', '/v1/admin/doctors', {
    token: admin,
    body: { name: 'Ratna Dewi', title: 'dr.' },
  });
  const doctor = made.data.id as string;
  const session = demoIds.sessions[0];
  const hours = { start_time: '00:00:00', end_time: '24:00:00', slot_minutes: 1_440, capacity: 100, room };
  for (const weekday of [1, 2, 3, 4, 5, 6, 7])
    await call(url, 'POST', '/v1/admin/schedules', {
      token: admin,
      body: { doctor_id: doctor, session_id: session, weekday, ...hours },
    });
  const { body: read } = await call(url, 'GET', '/v1/queues');
  let nth = 0;
  const newPatient = async (): Promise<string> => {
    nth += 1;
    const born = `19${String(60 + nth)}-03-0${nth}`;
    const { body } = await call(url, 'POST', '/v1/patients', {
      token: staff,
      body: { name: `Pasien Rahasia ${nth}`, birth_date: born, confirm: true },
    });
    return body.data.id as string;
  };
  return {
    /** Somebody comes and is checked in; gives the booking. */
    arrive: async () => {
      const { body, status } = await call(url, 'POST', '/v1/bookings', {
        token: staff,
        body: {
          doctor_id: doctor,
          session_id: session,
          schedule_date: read.meta.date,
          schedule_time: '00:00:00',
          patient_id: await newPatient(),
          check_in: true,
        },
      });
      if (status !== 201) throw new Error(JSON.stringify(body));
      return body.data as { id: string; queue_label: string; version: number };
    },
    next: async () => {
      const { body, status } = await call(url, 'POST', `/v1/doctors/${doctor}/queue/next`, { token: staff });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.data as { id: string; queue_label: string; version: number };
    },
    again: async (booking: { id: string }) => {
      const { body, status } = await call(url, 'POST', `/v1/bookings/${booking.id}/call`, { token: staff });
      if (status !== 200) throw new Error(JSON.stringify(body));
    },
  };
};

const doctors = [
  ['Ruang 1', 'dr. Budi Santoso, Sp.A'],
  ['Ruang 2', 'drg. Anton Prakoso'],
  ['Ruang 3', 'dr. Sari Wulandari, Sp.PD'],
  ['Poli Gigi', 'drg. Maya Lestari, Sp.KG'],
  ['Ruang 5', 'bd. Ratna Dewi'],
  ['Ruang 6', 'dr. Hendra Wijaya'],
  ['Ruang 7', 'dr. Yuliana Kristanti'],
] as const;

/** A queue as the service answers it: of one doctor, with the patient who was called some seconds ago. */
export const queueOf = (nth: number, calledAt: number | null, number = 7 + nth): Queue => {
  const prefix = String.fromCharCode(65 + nth);
  const label = (at: number) => `${prefix}-${String(at).padStart(2, '0')}`;
  const [room, doctor_name] = doctors[nth % doctors.length] ?? doctors[0];
  const now =
    calledAt === null
      ? null
      : { label: label(number), called_at: new Date(calledAt).toISOString(), call_count: 1 };
  return {
    prefix,
    room,
    doctor_name,
    doctor_id: `d${nth}`,
    session_id: 's',
    now,
    calls: now === null ? [] : [now],
    waiting: [1, 2, 3].map((ahead) => ({ label: label(number + ahead), is_there: true })),
    notice: null,
  };
};

/** Answers for the service, so that a picture shows what it is to show. */
export const pretend = async (page: Page, first: readonly Queue[]) => {
  const state = { queues: first, isCut: false, zone: 'Asia/Jakarta' };
  await page.route('**/v1/queues*', async (route) => {
    if (state.isCut) return route.abort();
    const meta = { date: '2026-12-01', time_zone: state.zone, server_time: new Date().toISOString() };
    await route.fulfill({ json: { status: 'success', data: state.queues, meta } });
  });
  await page.route('**/v1/clinic*', (route) =>
    route.fulfill({ json: { status: 'success', data: { name: 'Klinik Sehat Sentosa', logo: null } } }),
  );
  return state;
};
