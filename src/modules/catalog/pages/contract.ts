import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, named, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import { catalogRead, catalogWrite, changing } from '../shapes.ts';
import { Session } from '../slots/contract.ts';
import { pageFields } from './fields.ts';

const AdminDoctorPage = named('AdminDoctorPage', () => ({
  doctor_id: uuid(),
  ...pageFields.answer(),
  url: described(z.nullable(z.string()), 'The address to share; null before the first change.', {
    example: 'https://janji.klinik.example/dokter/dr-sari-wulandari',
  }),
  version: described(z.int(), 'Raised by every change; 0 before the first.'),
  updated_at: z.nullable(utcInstant()),
}));

const DoctorPage = named('DoctorPage', () => ({
  doctor_id: uuid(),
  ...pageFields.publicAnswer(),
  url: described(z.string(), 'The address to share.', {
    example: 'https://janji.klinik.example/dokter/dr-sari-wulandari',
  }),
  sessions: described(
    z.array(z.object({ id: uuid(), name: Session().shape.name })),
    'What patients can book with the doctor, by name.',
  ),
}));

export const GetPageOfDoctor = endpoint({
  method: 'get',
  path: '/v1/doctors/{id}/page',
  tag: 'catalog',
  summary: 'What the page of a doctor says',
  description: 'Of a published page alone. A shared cache may keep it for a minute.',
  access: 'public',
  returns: { 200: { description: 'The page.', data: DoctorPage, headers: ['ETag'] } },
});

const path = '/v1/admin/doctors/{id}/page';
const common = { ...catalogWrite, path, access: ['staff', 'admin'] } as const;

export const GetDoctorPage = endpoint({
  ...catalogRead,
  method: 'get',
  path,
  summary: 'The page of a doctor, published or not',
  returns: { 200: { description: 'The page; empty before the first change.', data: AdminDoctorPage } },
});

export const ChangeDoctorPage = endpoint({
  ...common,
  method: 'patch',
  summary: 'Write and publish the page of a doctor',
  description:
    'A published page is served at `/dokter/{slug}` for people and search engines, and as a card for the frames of other web sites at `/dokter/{slug}/kartu`, where the clinic’s `embed_origins` allow one.',
  bodyOptional: true,
  body: () => z.object({ ...pageFields.change(), ...changing() }),
  returns: { 200: { description: 'Changed.', data: AdminDoctorPage, message: 'changed' } },
  fails: ['version_mismatch', 'slug_taken'],
});

export const DeleteDoctorPage = endpoint({
  ...common,
  method: 'delete',
  summary: 'Delete the page of a doctor',
  description: 'Text, photo and addresses are gone for good; the doctor stays.',
  returns: { 200: { description: 'Deleted.', message: 'deleted' } },
});
