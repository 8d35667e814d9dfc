import * as z from 'zod/mini';
import { endpoint } from '../../endpoint/endpoint.ts';
import { described, idParam, named, oneLine, uuid } from '../../endpoint/fields.ts';
import { pageMeta, pageQuery } from '../../endpoint/query-fields.ts';
import { active, adminOnly, affectedMeta, changing, clinicPeople, record } from '../shapes.ts';
import { Approval } from '../slots/contract.ts';

const AdminSession = named('AdminSession', () => ({
  id: uuid(),
  name: z.string(),
  approval: described(Approval(), whoApproves),
  active: active(),
  ...record(),
}));

const whoApproves =
  '`manual`: the clinic approves each booking of a patient. `automatic`: it is approved at once.';

const path = '/v1/admin/sessions';
const common = { tag: 'admin', access: adminOnly } as const;

export const ListAllSessions = endpoint({
  ...common,
  scope: 'catalog:read',
  method: 'get',
  path,
  access: clinicPeople,
  discloses: 'nothing',
  summary: 'All sessions, retired ones too',
  query: pageQuery,
  returns: {
    200: {
      description: 'A page by name.',
      data: () => z.array(AdminSession()),
      meta: pageMeta,
      headers: ['Link'],
    },
  },
  fails: [],
});

export const CreateSession = endpoint({
  ...common,
  scope: 'catalog:write',
  method: 'post',
  path,
  summary: 'Add a session',
  idempotent: true,
  body: () =>
    z.object({ name: oneLine(100), approval: z._default(described(Approval(), whoApproves), 'manual') }),
  returns: {
    201: {
      description: 'Added.',
      data: AdminSession,
      message: 'created',
      headers: ['Location', 'Idempotency-Replayed'],
    },
  },
  fails: [],
});

export const GetAnySession = endpoint({
  ...common,
  scope: 'catalog:read',
  method: 'get',
  path: `${path}/{id}`,
  access: clinicPeople,
  discloses: 'nothing',
  summary: 'One session, retired or not',
  params: idParam,
  returns: { 200: { description: 'The session.', data: AdminSession } },
  fails: [],
});

export const ChangeSession = endpoint({
  ...common,
  scope: 'catalog:write',
  method: 'patch',
  path: `${path}/{id}`,
  summary: 'Rename, retire or reinstate a session, or change who approves',
  description:
    'Bookings keep the name that they were made under. Retiring cancels none and lists the coming ones.',
  params: idParam,
  bodyOptional: true,
  body: () =>
    z.object({
      name: z.optional(oneLine(100)),
      approval: described(z.optional(Approval()), whoApproves),
      active: z.optional(active()),
      ...changing(),
    }),
  returns: { 200: { description: 'Changed.', data: AdminSession, meta: affectedMeta, message: 'changed' } },
  fails: ['version_mismatch'],
});

export const RetireSession = endpoint({
  ...common,
  scope: 'catalog:write',
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Retire a session',
  description: 'No new booking of it is possible; coming ones stay and are listed.',
  params: idParam,
  returns: { 200: { description: 'Retired.', data: AdminSession, meta: affectedMeta, message: 'retired' } },
  fails: [],
});
