import type { Endpoint } from '../../src/core/endpoint/endpoint.ts';
import type { Scene } from './scene.ts';
import { bodyFor, type Field, fieldsOf, isText } from './shapes.ts';

type Bodies = (scene: Scene) => readonly [body: object, other: object];

const hours = { start_time: '19:00:00', end_time: '20:00:00', slot_minutes: 30, capacity: 1 };
const day = { start_date: '2026-12-29', end_date: '2026-12-29' };
const range = { from: '2026-11-01T00:00:00Z', to: '2026-12-01T00:00:00Z' };
const nothing = [{}, { version: 1 }] as const;

/** For a POST under /v1/admin two bodies with which it changes something in the scene, where samples of its fields do not. */
const adminBodies: Readonly<Record<string, Bodies>> = {
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
  '/v1/admin/webhooks/{id}/replay': () => [range, { ...range, to: '2026-11-30T00:00:00Z' }],
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
  '/v1/admin/people/{id}/email': () => [{ email: 'baru@klinik.example' }, { email: 'lain@klinik.example' }],
  '/v1/admin/waitlist/{id}/move': () => [
    { before_id: null, reason: 'urgent' },
    { before_id: null, reason: 'mistake' },
  ],
  '/v1/admin/closures/{id}/resolve': () => [{ action: 'cancel' }, { action: 'cancel', dry_run: true }],
};

const here = 'test/support/admin-bodies.ts';
const otherText = 'Contoh lain';

/** Whether a field takes any text. */
const isFree = ({ schema: { enum: words, format, pattern = '' } }: Field): boolean =>
  words === undefined && format === undefined && new RegExp(pattern, 'u').test(otherText);

/** A body that the fields of an endpoint accept. */
export const bodyThatFits = (scene: Scene, contract: Endpoint): object =>
  adminBodies[contract.path]?.(scene)[0] ?? bodyFor(scene, contract);

/** Two bodies with which a POST changes something in the scene: its own, none at all, or samples of its fields. */
export const bodiesFor = (scene: Scene, contract: Endpoint): readonly [body: object, other: object] => {
  const own = adminBodies[contract.path]?.(scene);
  if (own !== undefined) return own;
  if (contract.body === undefined) return nothing;
  const body = bodyFor(scene, contract);
  const text = fieldsOf(contract, 'body').find((field) => isText(field) && isFree(field));
  if (text === undefined)
    throw new Error(
      `Two bodies for ${contract.path}: add \`'${contract.path}': () => [{ … }, { … }],\` to ${here}.`,
    );
  return [body, { ...body, [text.name]: otherText }];
};
