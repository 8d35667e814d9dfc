import * as z from 'zod/mini';
import { endpoint } from '../../core/endpoint/endpoint.ts';
import { described, uuid } from '../../core/endpoint/fields.ts';
import { pageMeta, pageQuery } from '../../core/endpoint/query-fields.ts';
import { Device } from '../auth/account/contract.ts';

const path = '/v1/admin/people';
const common = { tag: 'admin', access: ['admin'] } as const;

export const ListPersonDevices = endpoint({
  ...common,
  method: 'get',
  path: `${path}/{id}/devices`,
  discloses: 'record',
  summary: 'The devices on which a person is logged in',
  description: 'The newest login first.',
  query: pageQuery,
  returns: { 200: { description: 'A page of devices.', data: () => z.array(Device()), meta: pageMeta } },
});

export const EndPersonDevices = endpoint({
  ...common,
  method: 'delete',
  path: `${path}/{id}/devices`,
  summary: 'Log a person out everywhere',
  returns: {
    200: {
      description: 'Logged out.',
      data: () => z.object({ ended: described(z.int(), 'How many there were.') }),
      message: {
        id: 'Akun telah keluar dari semua perangkat.',
        en: 'The account was logged out of all devices.',
      },
    },
  },
});

export const EndPersonDevice = endpoint({
  ...common,
  method: 'delete',
  path: `${path}/{id}/devices/{device_id}`,
  summary: 'Log a person out on one device',
  params: () =>
    z.object({
      id: uuid(),
      device_id: described(uuid(), 'The `id` of one of the devices of the person.', {
        example: '5f0c7d52-8f0e-4c0f-9d0a-3d5f2f6c1b7e',
      }),
    }),
  returns: {
    200: {
      description: 'Logged out.',
      message: {
        id: 'Akun telah keluar dari perangkat ini.',
        en: 'The person was logged out on this device.',
      },
    },
  },
});
