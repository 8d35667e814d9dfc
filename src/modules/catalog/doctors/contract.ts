import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { idParam, named, uuid } from '../../../core/endpoint/fields.ts';
import { externalIdFilter, pageMeta, paging } from '../../../core/endpoint/query-fields.ts';
import { doctorFields } from '../fields/doctors.ts';
import { active, adminOnly, affectedMeta, changing, clinicPeople, record } from '../shapes.ts';

const AdminDoctor = named('AdminDoctor', () => ({
  id: uuid(),
  ...doctorFields.answer(),
  active: active(),
  ...record(),
}));

const path = '/v1/admin/doctors';
const common = { tag: 'admin', access: adminOnly } as const;

export const ListAllDoctors = endpoint({
  ...common,
  scope: 'catalog:read',
  method: 'get',
  path,
  access: clinicPeople,
  discloses: 'nothing',
  summary: 'All doctors, retired ones too',
  query: () => z.object({ ...paging(), external_id: externalIdFilter() }),
  returns: {
    200: {
      description: 'A page by name.',
      data: () => z.array(AdminDoctor()),
      meta: pageMeta,
      headers: ['Link'],
    },
  },
  fails: [],
});

export const CreateDoctor = endpoint({
  ...common,
  scope: 'catalog:write',
  method: 'post',
  path,
  summary: 'Add a doctor',
  idempotent: true,
  body: () => z.object(doctorFields.create()),
  returns: {
    201: {
      description: 'Added.',
      data: AdminDoctor,
      message: 'created',
      headers: ['Location', 'Idempotency-Replayed'],
    },
  },
  fails: ['external_id_taken'],
});

export const GetAnyDoctor = endpoint({
  ...common,
  scope: 'catalog:read',
  method: 'get',
  path: `${path}/{id}`,
  access: clinicPeople,
  discloses: 'nothing',
  summary: 'One doctor, retired or not',
  params: idParam,
  returns: { 200: { description: 'The doctor.', data: AdminDoctor } },
  fails: [],
});

export const ChangeDoctor = endpoint({
  ...common,
  scope: 'catalog:write',
  method: 'patch',
  path: `${path}/{id}`,
  summary: 'Change, retire or reinstate a doctor',
  description:
    'A mended name reaches the bookings that are coming, until their patient has checked in. Retiring cancels none and lists the coming ones.',
  params: idParam,
  bodyOptional: true,
  body: () => z.object({ ...doctorFields.change(), active: z.optional(active()), ...changing() }),
  returns: { 200: { description: 'Changed.', data: AdminDoctor, meta: affectedMeta, message: 'changed' } },
  fails: ['version_mismatch', 'external_id_taken'],
});

export const RetireDoctor = endpoint({
  ...common,
  scope: 'catalog:write',
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Retire a doctor',
  description: 'No new booking is possible; coming ones stay and are listed.',
  params: idParam,
  returns: { 200: { description: 'Retired.', data: AdminDoctor, meta: affectedMeta, message: 'retired' } },
  fails: [],
});
