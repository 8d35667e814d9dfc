import { endpoint } from '../../endpoint/endpoint.ts';
import { idParam } from '../../endpoint/fields.ts';

const common = { method: 'delete', recentLogin: true } as const;

const whatGoes =
  'Coming bookings are canceled by `system` (`account_deleted`), whatever the lead. Name, contact, numbers, notes and logins are removed everywhere; visits stay with the clinic under an id that is nobody’s any more. Records of the family that this account alone made and that have no visit go as well, the others are unlinked.';

export const DeleteAccount = endpoint({
  ...common,
  path: '/v1/auth/account',
  tag: 'auth',
  summary: 'Delete the own account and what the clinic keeps of its person',
  description: `${whatGoes} Refused while somebody of the family is checked in today, and for the last admin. Every token is refused from the next request on; the e-mail can register anew and sees nothing of before.`,
  access: 'bearer',
  beforeEnrolment: true,
  returns: { 200: { description: 'Deleted.', message: 'account_deleted' } },
  fails: ['visit_under_way', 'last_admin'],
});

export const DeletePatient = endpoint({
  ...common,
  path: '/v1/patients/{id}',
  tag: 'patients',
  summary: 'Delete what the clinic keeps of a patient',
  description: `For somebody who asks at the desk; with the account, where the patient has one. ${whatGoes} Refused while the patient, or somebody of the family, is checked in today, and for whoever works here.`,
  access: ['admin'],
  params: idParam,
  returns: { 200: { description: 'Deleted.', message: 'patient_deleted' } },
  fails: ['visit_under_way', 'patient_works_here'],
});
