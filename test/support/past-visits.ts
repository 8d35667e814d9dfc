import { expect } from 'vitest';
import { createClinic } from './clinic-people.ts';
import { createWorld } from './world.ts';

const path = '/v1/admin/imports';

/** A clinic with two imported patients, and ways to import visits of theirs. */
export const setUpPastVisits = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  const clinic = await createClinic(world);
  const { token } = clinic.admin;
  const ask = (own: string, body: object) => world.request(`${path}${own}`, { token, body });
  const read = async (own: string, as = token) => (await world.request(own, { token: as })).body;
  const begin = async (more: object = {}) => {
    const { status, body } = await ask('', { source: 'lama', date_order: 'day_first', ...more });
    expect(status).toBe(201);
    return body.data.id as string;
  };
  const patients = [
    {
      row: 2,
      external_id: '17',
      name: 'Siti Aminah',
      birth_date: '05/01/1950',
      medical_record_number: 'L-17',
    },
    { row: 3, external_id: '18', name: 'Darmo', birth_date: '5 Jan 1960' },
  ];
  const made = await ask(`/${await begin()}/rows`, { after_row: 0, rows: patients, finish: true });
  const [siti, darmo] = made.body.data.map((row: { patient_id: string }) => row.patient_id) as [
    string,
    string,
  ];
  const visit = {
    row: 2,
    patient_external_id: '17',
    doctor: clinic.practice.doctorId,
    session: clinic.practice.sessionId,
    date: '05/03/2024 09:30',
    status: 'Selesai',
    staff_notes: 'Kontrol',
    external_id: 'K1',
  };
  const step = async (rows: readonly object[], more: object = {}) => {
    const id = await begin({ kind: 'visits', ...more });
    const { status, body } = await ask(`/${id}/visits`, { after_row: 0, rows, finish: true });
    expect(status).toBe(200);
    return body.data as {
      outcome: string;
      patient_id: string;
      problems: { field: string; rule: string }[];
    }[];
  };
  const outcomes = async (rows: readonly object[], more?: object) =>
    (await step(rows, more)).map(({ outcome }) => outcome);
  const history = async (id = siti) => (await read(`/v1/patients/${id}/bookings`)).data;
  return { world, clinic, ask, read, begin, step, outcomes, history, visit, siti, darmo };
};
