import { describe, expect, it } from 'vitest';
import { openApiDocument } from '../../src/interface/reference/document.ts';
import { asBase64, bareWebp } from '../support/photos.ts';
import { createScene, endpoints, pathFor, type Scene, tokenFor } from '../support/scene.ts';

const here = 'test/interface/changed-fields.test.ts';

type Body = Record<string, unknown>;
interface Operation {
  requestBody?: { content: Record<string, { schema: { properties?: Body } }> };
}

const paths = openApiDocument('2026-11-23').paths as Record<string, Partial<Record<string, Operation>>>;

interface Schema {
  type?: string;
  format?: string;
  enum?: unknown[];
}

const schemasOf = (method: 'patch' | 'post', path: string) =>
  (paths[path]?.[method]?.requestBody?.content['application/json']?.schema.properties ?? {}) as Record<
    string,
    Schema
  >;

/** The fields that an operation takes, by the document. */
const fieldsOf = (method: 'patch' | 'post', path: string): string[] =>
  Object.keys(schemasOf(method, path)).filter((field) => field !== 'version' && field !== 'confirm');

/** A value for any plain text. */
const textFor = (method: 'patch' | 'post', path: string, field: string): string | undefined => {
  const { type, format, enum: words } = schemasOf(method, path)[field] ?? {};
  return type === 'string' && format === undefined && words === undefined ? 'Nilai lain' : undefined;
};

/**
 * Another value for every changeable field: the input, and the shown value where it differs. A new field that is not
 * plain text takes a line here.
 */
const values = ({ clinic: { practice } }: Scene): Body => ({
  name: 'Nama Lain',
  title: 'Prof.',
  specialty: 'Bedah Saraf',
  approval: 'automatic',
  max_per_day: 2,
  min_days_between: 7,
  open_to: 'known',
  questions: [
    {
      ...{ id: 'tahu', type: 'choice', label: 'Dari mana Anda tahu klinik ini?' },
      ...{ required: true, new_patients_only: true, options: ['Teman', 'Internet'] },
    },
  ],
  approval_after_no_shows: 3,
  self_check_in_minutes: 45,
  external_id: 'SIMRS-7',
  metadata: { 'simrs.unit': 'Poli Umum' },
  active: false,
  weekday: 3,
  start_time: '17:30:00',
  end_time: '19:00:00',
  slot_minutes: 15,
  capacity: 4,
  room: 'Ruang 12',
  bpjs_doctor_code: 31_204,
  ihs_id: 'P0001-7',
  bpjs_poli_code: 'INT',
  bpjs_fktp_code: '002',
  ihs_location_id: 'b017aa54-f1df-4ec2',
  jkn_quota: 12,
  every_weeks: 2,
  break_start: '18:00:00',
  break_end: '18:30:00',
  refuse_shared_rooms: true,
  ask_confirmation: true,
  release_unconfirmed_at: '18:00:00',
  embed_origins: ['https://blog.klinik.example'],
  slug: 'dokter-sari',
  published: false,
  about: 'Sejak 2012.\nAnak dan dewasa.',
  languages: ['id', 'jv'],
  education: ['FK Unpad, 2010'],
  photo_image: asBase64(bareWebp()),
  bpjs_facility_code: '0301R002',
  satusehat_organization_id: '10000005',
  payer: 'jkn',
  visit_kind: 'control',
  referral_number: '0301R0010126B000002',
  valid_from: '2026-12-01',
  valid_until: '2027-12-31',
  start_date: '2026-12-23',
  end_date: '2026-12-27',
  address: 'Jalan Mawar 3',
  phone: '+62 21 555',
  phone_number: '81355500077',
  phone_country_code: '60',
  email: 'lain@klinik.example',
  birth_date: '1971-03-04',
  sex: 'female',
  national_id: '3171234567890123',
  insurance_number: '0001234567890',
  medical_record_number: 'RM-900001',
  staff_notes: 'Kursi roda',
  notes: 'Batuk',
  numbers_confirmed: true,
  relation: 'sibling',
  expires_at: '2027-01-02T03:04:05.000Z',
  logo_url: 'https://klinik.example/logo.png',
  color: '#224466',
  consent_version: '2026-12',
  privacy_notice_url: 'https://klinik.example/privasi',
  min_notice_minutes: 45,
  max_advance_days: 60,
  cancel_lead_minutes: 15,
  max_live_bookings: 7,
  max_unproved_bookings: 3,
  retention_years: 12,
  url: 'https://hooks.klinik.example/lain',
  event_types: ['booking.canceled'],
  description: 'Kasir',
  status: 'paused',
  scopes: ['catalog:read'],
  language: 'en',
  message: false,
  kinds: ['canceled'],
  desk: true,
  role: 'staff',
  doctor_id: practice.doctorId,
  session_id: practice.sessionId,
});

/** Where a field of a path has another value than elsewhere, or goes with others. */
const together = async (scene: Scene, path: string, field: string): Promise<Body | undefined> => {
  const { world, clinic } = scene;
  if (path === '/v1/auth/notices' && field === 'email') return { email: false };
  if (path === '/v1/admin/people/{id}') {
    const doctor = { role: 'doctor', doctor_id: clinic.practice.doctorId };
    return field === 'role' ? { role: 'staff' } : doctor;
  }
  if (path.startsWith('/v1/admin/closures') && /_time$/.test(field))
    return { start_time: '09:00:00', end_time: '11:00:00' };
  if (path.startsWith('/v1/admin/schedules') && field.startsWith('break_'))
    return {
      start_time: '17:30:00',
      end_time: '19:00:00',
      slot_minutes: 15,
      break_start: '18:00:00',
      break_end: '18:30:00',
    };
  if (path === '/v1/patients/{id}' && field === 'numbers_confirmed')
    return { national_id: '3171234567890123', numbers_confirmed: true };
  if (path === '/v1/admin/schedules/{id}' && field === 'session_id') {
    const body = { name: 'Kontrol Gigi' };
    const { data } = (await world.request('/v1/admin/sessions', { token: clinic.admin.token, body })).body;
    return { session_id: data.id };
  }
  return undefined;
};

/** Fields that are written and never read back, each with the test that shows what they do. */
const unread: Readonly<Record<string, string>> = {
  'logo_image of /v1/admin/clinic': 'test/catalog/clinic-logo.test.ts',
};

/** Every value under a name, at any depth: some records are nested in others. */
const shown = (part: unknown, field: string): unknown[] => {
  if (typeof part !== 'object' || part === null) return [];
  return Object.entries(part).flatMap(([name, value]) => [
    ...(name === field ? [value] : []),
    ...shown(value, field),
  ]);
};

/** Whether a field shows what it was given; a number of a person may be shown with most of its digits hidden. */
const shows = (value: unknown, given: unknown): boolean =>
  JSON.stringify(value) === JSON.stringify(given) ||
  (typeof value === 'string' &&
    typeof given === 'string' &&
    value.includes('•') &&
    value.length === given.length &&
    [...value].every((letter, at) => letter === '•' || letter === given[at]));

/** The record as it is read afterwards: by its own address, or in the list that contains it. */
const readBack = async ({ world }: Scene, path: string, token: string | undefined) => {
  const own = await world.request(path, { token });
  if (own.status === 200) return own.body.data;
  const id = path.split('/').at(-1);
  const { body } = await world.request(path.slice(0, path.lastIndexOf('/')), { token });
  return body.data.find((one: { id: string }) => one.id === id);
};

const patches = endpoints.filter(({ method }) => method === 'patch');

describe('every field of every PATCH is changed and read back', () => {
  it('of all of them', () => {
    expect(patches.map(({ path }) => path).sort()).toEqual(
      Object.keys(paths)
        .filter((path) => paths[path]?.patch !== undefined)
        .sort(),
    );
  });

  for (const contract of patches)
    it(`PATCH ${contract.path}`, async () => {
      const scene = await createScene();
      const { world, clinic } = scene;
      const isDesk = contract.path === '/v1/auth/notices';
      const token = isDesk ? clinic.staff.token : tokenFor(scene, contract);
      const missing: string[] = [];
      for (const field of fieldsOf('patch', contract.path)) {
        if (unread[`${field} of ${contract.path}`] !== undefined) continue;
        const others = await together(scene, contract.path, field);
        const value = values(scene)[field] ?? textFor('patch', contract.path, field);
        const body = others ?? { [field]: value };
        expect(body[field], `a value of ${field}: add one to ${here}`).toBeDefined();
        const path = pathFor(scene, contract);
        const isShown = async () =>
          shown(await readBack(scene, path, token), field).some((value) => shows(value, body[field]));
        if (others === undefined && (await isShown())) missing.push(`${field}: has this value already`);
        const { status, body: answer } = await world.request(path, { method: 'PATCH', token, body });
        if (status !== 200 || !(await isShown()))
          missing.push(`${field}: ${status} ${answer.code ?? 'not changed'}`);
      }
      expect(missing).toEqual([]);
    });
});

const created = [
  '/v1/admin/doctors',
  '/v1/admin/sessions',
  '/v1/admin/schedules',
  '/v1/admin/closures',
  '/v1/admin/webhooks',
  '/v1/admin/api-keys',
  '/v1/patients',
  '/v1/family',
];

describe('every field that a record is made with is read back', () => {
  it.each(created)('POST %s', async (path) => {
    const scene = await createScene();
    const { world } = scene;
    const contract = endpoints.find((one) => one.path === path && one.method === 'post');
    const token = contract && tokenFor(scene, contract);
    const hours = path.endsWith('schedules')
      ? { start_time: '19:00:00', end_time: '20:00:00', break_start: '19:15:00', break_end: '19:30:00' }
      : {};
    const given: Body = { ...values(scene), ...hours };
    const body = Object.fromEntries(
      fieldsOf('post', path)
        .filter((field) => field !== 'date')
        .map((field) => [field, given[field] ?? textFor('post', path, field)]),
    );
    const made = await world.request(path, { token, body });
    expect([made.status, made.body.errors]).toEqual([201, undefined]);
    const id: string = made.body.data.id;
    const data = await readBack(scene, `${path}/${id}`, token);
    for (const [field, value] of Object.entries(body)) {
      expect(value, `a value of ${field}: add one to ${here}`).toBeDefined();
      const read = shown(data, field);
      expect([field, read.some((one) => shows(one, value)) || read]).toEqual([field, true]);
    }
  });
});
