import type { Scene } from './scene.ts';

type Bodies = (scene: Scene) => readonly [body: object, other: object];

const hours = { start_time: '19:00:00', end_time: '20:00:00', slot_minutes: 30, capacity: 1 };
const day = { start_date: '2026-12-29', end_date: '2026-12-29' };
const range = { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' };
const nothing = [{}, { version: 1 }] as const;

/** For each POST under /v1/admin two bodies with which it changes something in the scene. */
export const adminBodies: Readonly<Record<string, Bodies>> = {
  '/v1/admin/doctors': () => [{ name: 'Sri Wahyuni' }, { name: 'Agus Salim' }],
  '/v1/admin/sessions': () => [{ name: 'Vaksinasi' }, { name: 'Kontrol' }],
  '/v1/admin/schedules': ({ clinic: { practice } }) => {
    const common = { doctor_id: practice.doctorId, session_id: practice.sessionId, ...hours };
    return [
      { ...common, weekday: 2 },
      { ...common, weekday: 3 },
    ];
  },
  '/v1/admin/holidays': () => [
    { year: 2026, dates: ['2026-12-25'] },
    { year: 2026, dates: ['2026-12-24'] },
  ],
  '/v1/admin/closures': () => [
    { name: 'Cuti bersama', ...day },
    { name: 'Libur', ...day },
  ],
  '/v1/admin/imports': () => [{ source: 'lama' }, { source: 'baru' }],
  '/v1/admin/imports/{id}/rows': () => {
    const row = { row: 1, name: 'Pasien Lama', birth_date: '1950-01-25' };
    return [
      { after_row: 0, rows: [row] },
      { after_row: 0, rows: [{ ...row, name: 'Pasien Lain' }] },
    ];
  },
  '/v1/admin/imports/{id}/visits': () => {
    const row = {
      row: 1,
      patient_external_id: '17',
      doctor: 'dr. Lama',
      session: 'Umum',
      date: '2024-03-05',
    };
    return [
      { after_row: 0, rows: [{ ...row, status: 'selesai' }] },
      { after_row: 0, rows: [{ ...row, status: 'batal' }] },
    ];
  },
  '/v1/admin/webhooks': () => [
    { url: 'https://hooks.klinik.example/satu' },
    { url: 'https://hooks.klinik.example/dua' },
  ],
  '/v1/admin/webhooks/{id}/rotate-secret': () => nothing,
  '/v1/admin/webhooks/{id}/test': () => nothing,
  '/v1/admin/webhooks/{id}/replay': () => [range, { ...range, to: '2026-11-30T00:00:00Z' }],
  '/v1/admin/webhooks/{id}/deliveries/{delivery_id}/replay': () => nothing,
  '/v1/admin/check-in-poster': () => nothing,
  '/v1/admin/exchanges/{id}/retry': () => nothing,
  '/v1/admin/exchanges/{id}/leave': () => nothing,
  '/v1/admin/api-keys': () => [
    { name: 'Mesin antrean', scopes: ['queue:write'] },
    { name: 'Layar', scopes: ['bookings:read'] },
  ],
  '/v1/admin/setup/test-mail': ({ world }) => {
    world.deps.mailer = { ...world.deps.mailer, reachesPeople: true };
    return nothing;
  },
  '/v1/admin/people': () => [
    { name: 'Rina', email: 'rina@klinik.example', role: 'staff' },
    { name: 'Rini', email: 'rini@klinik.example', role: 'staff' },
  ],
  '/v1/admin/people/{id}/deactivate': () => nothing,
  '/v1/admin/people/{id}/reactivate': () => nothing,
  '/v1/admin/people/{id}/email': () => [{ email: 'baru@klinik.example' }, { email: 'lain@klinik.example' }],
  '/v1/admin/waitlist/{id}/move': () => [
    { before_id: null, reason: 'urgent' },
    { before_id: null, reason: 'mistake' },
  ],
  '/v1/admin/closures/{id}/resolve': () => [{ action: 'cancel' }, { action: 'cancel', dry_run: true }],
};
