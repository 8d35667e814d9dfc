import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { named, uuid } from '../../../core/endpoint/fields.ts';
import { externalIdFilter, pageMeta, paging } from '../../../core/endpoint/query-fields.ts';
import { sessionFields } from '../fields/sessions.ts';
import { active, affectedMeta, catalogRead, catalogWrite, changing, record } from '../shapes.ts';

const AdminSession = named('AdminSession', () => ({
  id: uuid(),
  ...sessionFields.answer(),
  active: active(),
  ...record(),
}));

const path = '/v1/admin/sessions';

export const ListAllSessions = endpoint({
  ...catalogRead,
  method: 'get',
  path,
  summary: 'All sessions, retired ones too',
  query: () => z.object({ ...paging(), external_id: externalIdFilter() }),
  returns: { 200: { description: 'A page by name.', data: () => z.array(AdminSession()), meta: pageMeta } },
});

export const CreateSession = endpoint({
  ...catalogWrite,
  method: 'post',
  path,
  summary: 'Add a session',
  idempotent: true,
  body: () => z.object(sessionFields.create()),
  returns: { 201: { description: 'Added.', data: AdminSession, message: 'created', headers: ['Location'] } },
  fails: ['external_id_taken'],
});

export const GetAnySession = endpoint({
  ...catalogRead,
  method: 'get',
  path: `${path}/{id}`,
  summary: 'One session, retired or not',
  returns: { 200: { description: 'The session.', data: AdminSession } },
});

export const ChangeSession = endpoint({
  ...catalogWrite,
  method: 'patch',
  path: `${path}/{id}`,
  summary: 'Rename, retire or reinstate a session, or change who approves',
  description:
    'A mended name reaches the bookings that are coming, until their patient has checked in. Retiring cancels none and lists the coming ones.',
  bodyOptional: true,
  body: () => z.object({ ...sessionFields.change(), active: z.optional(active()), ...changing() }),
  returns: { 200: { description: 'Changed.', data: AdminSession, meta: affectedMeta, message: 'changed' } },
  fails: ['version_mismatch', 'external_id_taken'],
});

export const RetireSession = endpoint({
  ...catalogWrite,
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Retire a session',
  description: 'No new booking of it is possible; coming ones stay and are listed.',
  returns: { 200: { description: 'Retired.', data: AdminSession, meta: affectedMeta, message: 'retired' } },
});
