import { endpoint } from '../../../core/endpoint/endpoint.ts';

const common = { method: 'delete', recentLogin: true } as const;

const whatGoes =
  'Coming bookings are canceled by `system` (`account_deleted`), whatever the lead; visits stay under an id that is nobody’s. Of the family, records that this account alone made go as well where they have no visit. Refused while one of them is checked in today';

export const DeleteAccount = endpoint({
  ...common,
  path: '/v1/auth/account',
  tag: 'auth',
  summary: 'Delete the own account, and all that is kept of its person',
  description: `${whatGoes}, and for the last admin.`,
  access: 'bearer',
  beforeEnrolment: true,
  returns: {
    200: {
      description: 'Deleted.',
      message: {
        id: 'Akun dan data diri Anda telah dihapus.',
        en: 'Your account and your data were deleted.',
      },
    },
  },
  fails: ['visit_under_way', 'last_admin'],
});

export const DeletePatient = endpoint({
  ...common,
  path: '/v1/patients/{id}',
  tag: 'patients',
  summary: 'Delete all that is kept of a patient, the account included',
  description: `${whatGoes}, and for people who work here.`,
  access: ['admin'],
  returns: {
    200: {
      description: 'Deleted.',
      message: { id: 'Data pasien telah dihapus.', en: "The patient's data were deleted." },
    },
  },
  fails: ['visit_under_way', 'patient_works_here'],
});
