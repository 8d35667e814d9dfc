import type { Mount } from '../../handler.ts';
import { namedPatient } from '../desk/resource.ts';
import { deleteAccount, deletePatient } from './actions.ts';
import * as contract from './contract.ts';

export const mountErasure = (mount: Mount): void => {
  mount(contract.DeleteAccount, {
    answer: async (context) => {
      await deleteAccount(context);
      return { status: 200 };
    },
  });
  mount(contract.DeletePatient, {
    resource: namedPatient,
    answer: async (context, _rows, row) => {
      await deletePatient(context, row);
      return { status: 200 };
    },
  });
};
