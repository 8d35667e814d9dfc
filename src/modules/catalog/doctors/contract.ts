import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { named, uuid } from '../../../core/endpoint/fields.ts';
import { externalIdFilter, pageMeta, paging } from '../../../core/endpoint/query-fields.ts';
import { doctorFields } from '../fields/doctors.ts';
import { changedMeta } from '../schedules/contract.ts';
import { active, catalogRead, catalogWrite, changing, record } from '../shapes.ts';

const AdminDoctor = named('AdminDoctor', () => ({
  id: uuid(),
  ...doctorFields.answer(),
  active: active(),
  ...record(),
}));

const path = '/v1/admin/doctors';

export const ListAllDoctors = endpoint({
  ...catalogRead,
  method: 'get',
  path,
  summary: 'All doctors, retired ones too',
  query: () => z.object({ ...paging(), external_id: externalIdFilter() }),
  returns: { 200: { description: 'A page by name.', data: () => z.array(AdminDoctor()), meta: pageMeta } },
});

export const CreateDoctor = endpoint({
  ...catalogWrite,
  method: 'post',
  path,
  summary: 'Add a doctor',
  idempotent: true,
  body: () => z.object(doctorFields.create()),
  returns: { 201: { description: 'Added.', data: AdminDoctor, message: 'created', headers: ['Location'] } },
  fails: ['external_id_taken'],
});

export const GetAnyDoctor = endpoint({
  ...catalogRead,
  method: 'get',
  path: `${path}/{id}`,
  summary: 'One doctor, retired or not',
  returns: { 200: { description: 'The doctor.', data: AdminDoctor } },
});

export const ChangeDoctor = endpoint({
  ...catalogWrite,
  method: 'patch',
  path: `${path}/{id}`,
  summary: 'Change, retire or reinstate a doctor',
  description:
    'A mended name reaches the bookings that are coming, until their patient has checked in. Retiring cancels none and lists the coming ones. Where another doctor has a room of theirs at the same time by now, one who returns is told, or refused (409 `room_shared`), as with a schedule.',
  bodyOptional: true,
  body: () => z.object({ ...doctorFields.change(), active: z.optional(active()), ...changing() }),
  returns: { 200: { description: 'Changed.', data: AdminDoctor, meta: changedMeta, message: 'changed' } },
  fails: ['version_mismatch', 'external_id_taken', 'room_shared'],
});

export const RetireDoctor = endpoint({
  ...catalogWrite,
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Retire a doctor',
  description: 'No new booking is possible; coming ones stay and are listed.',
  returns: { 200: { description: 'Retired.', data: AdminDoctor, meta: changedMeta, message: 'retired' } },
});
