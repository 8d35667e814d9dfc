import * as z from 'zod/mini';
import { ruleNames } from '../../../core/clinic/rules.ts';
import { snake } from '../../../core/db/record-fields.ts';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, named } from '../../../core/endpoint/fields.ts';
import { exchangeTargets } from '../../../core/tables/words.ts';
import { adminOnly, changing } from '../shapes.ts';
import { clinicFields } from './fields.ts';

const Clinic = named('Clinic', () => ({
  ...clinicFields.publicAnswer(),
  reports_to: described(
    z.array(z.enum(exchangeTargets)),
    'The health systems that visits are reported to, as the settings of the service say.',
    { example: [] },
  ),
  login_by_code: described(
    z.boolean(),
    'Whether patients may log in by a mailed code (`POST /v1/auth/code`) and slots are held (`POST /v1/holds`).',
    { example: false },
  ),
  login_by_phone_code: described(
    z.boolean(),
    'Whether they may log in by a code to their phone; slots are held then, too.',
    { example: false },
  ),
  staff_sso: described(
    z.boolean(),
    'Whether the people of the clinic may log in by a work account (`POST /v1/auth/sso`).',
    { example: false },
  ),
}));

const AdminClinic = named('AdminClinic', () => ({
  ...clinicFields.answer(),
  version: z.int(),
  set_by_environment: described(
    z.array(z.enum(ruleNames.map(snake))),
    'The rules that a setting of the service decides, so that they cannot be changed here.',
    { example: [] },
  ),
}));

export const GetClinic = endpoint({
  method: 'get',
  path: '/v1/clinic',
  tag: 'catalog',
  summary: 'The clinic, and when patients may book',
  description: 'A shared cache may keep it for a minute.',
  access: 'public',
  returns: { 200: { description: 'The clinic.', data: Clinic, headers: ['ETag'] } },
});

const common = { tag: 'admin', path: '/v1/admin/clinic', access: adminOnly } as const;

export const GetClinicRules = endpoint({
  ...common,
  scope: 'catalog:read',
  discloses: 'nothing',
  method: 'get',
  summary: 'The clinic with all its rules',
  returns: { 200: { description: 'The clinic.', data: AdminClinic } },
});

export const ChangeClinic = endpoint({
  ...common,
  method: 'patch',
  summary: 'Change the clinic and its rules of booking',
  description:
    'A new rule holds from the next decision on, in every process; bookings that stand are not touched. A rule that a setting of the service decides is refused.',
  bodyOptional: true,
  body: () => z.object({ ...clinicFields.change(), ...changing() }),
  returns: { 200: { description: 'Changed.', data: AdminClinic, message: 'changed' } },
  fails: ['set_by_environment', 'version_mismatch'],
});
