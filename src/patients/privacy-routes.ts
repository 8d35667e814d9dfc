import type { Mount } from '../handler.ts';
import { namedPatient } from './desk/resource.ts';
import { deleteAccount, deletePatient } from './erasure/actions.ts';
import * as erasure from './erasure/contract.ts';

/** What people may ask of the clinic about their data, and the clinic for them. */
export const mountPrivacy = (mount: Mount): void => {
  mount(erasure.DeleteAccount, {
    answer: async (context) => {
      await deleteAccount(context);
      return { status: 200, message: 'account_deleted' };
    },
  });
  mount(erasure.DeletePatient, {
    resource: namedPatient,
    answer: async (context, _rows, row) => {
      await deletePatient(context, row);
      return { status: 200, message: 'patient_deleted' };
    },
  });
};
