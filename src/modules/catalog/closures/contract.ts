import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, localDate, named, uuid } from '../../../core/endpoint/fields.ts';
import { pageMeta, paging } from '../../../core/endpoint/query-fields.ts';
import { closureFields } from '../fields/closures.ts';
import { affectedMeta, catalogRead, catalogWrite, changing, clinicPeople, record } from '../shapes.ts';

export const Closure = named('Closure', () => ({
  id: uuid(),
  doctor_id: described(z.nullable(uuid()), 'The doctor on leave; null for a holiday of the clinic.'),
  ...closureFields.answer(),
  ...record(),
}));

const path = '/v1/admin/closures';
const common = { ...catalogWrite, access: clinicPeople } as const;

export const ListClosures = endpoint({
  ...catalogRead,
  method: 'get',
  path,
  summary: 'Leave and holidays',
  description: 'A doctor sees the own leave and the holidays.',
  query: () =>
    z.object({
      ...paging(),
      kind: described(
        z.optional(z.enum(['leave', 'holiday'])),
        'Only leave of doctors, or holidays of the clinic.',
      ),
      doctor_id: z.optional(uuid()),
      from: described(z.optional(localDate()), 'Leaves out what ended before this date.'),
      to: described(z.optional(localDate()), 'Leaves out what begins after this date.'),
    }),
  returns: { 200: { description: 'A page by first day.', data: () => z.array(Closure()), meta: pageMeta } },
});

export const CreateClosure = endpoint({
  ...common,
  method: 'post',
  path,
  summary: "Add a doctor's leave or a holiday of the clinic",
  description:
    'The reception for any doctor, a doctor for the own; holidays by an admin alone. Once this is answered no booking into it can succeed. Bookings that stand already are listed and none is canceled.',
  idempotent: true,
  answersSecret: true,
  body: () =>
    z.object({
      doctor_id: described(
        z._default(z.nullable(uuid()), null),
        'Null or left out for a holiday of the clinic.',
      ),
      ...closureFields.create(),
      end_date: described(closureFields.change().end_date, '`start_date` unless set.'),
    }),
  returns: {
    201: {
      description: 'Added.',
      data: Closure,
      meta: affectedMeta,
      message: 'created',
      headers: ['Location'],
    },
  },
});

export const GetClosure = endpoint({
  ...catalogRead,
  method: 'get',
  path: `${path}/{id}`,
  discloses: 'list',
  summary: 'One closure, and the bookings it lies over now',
  returns: { 200: { description: 'The closure.', data: Closure, meta: affectedMeta } },
});

export const ChangeClosure = endpoint({
  ...common,
  method: 'patch',
  path: `${path}/{id}`,
  summary: 'Change a closure',
  description: 'Leave by the reception, the doctor or an admin; holidays by an admin alone.',
  bodyOptional: true,
  body: () => z.object({ ...closureFields.change(), ...changing() }),
  returns: { 200: { description: 'Changed.', data: Closure, meta: affectedMeta, message: 'changed' } },
  fails: ['version_mismatch'],
});

export const DeleteClosure = endpoint({
  ...common,
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Delete a closure',
  description: 'Its slots open again. Holidays are deleted by an admin alone.',
  returns: { 200: { description: 'Deleted.', message: 'deleted' } },
});
