import type { Mount } from '../handler.ts';
import { namedPatient } from './desk/resource.ts';
import { deleteAccount, deletePatient } from './erasure/actions.ts';
import * as erasure from './erasure/contract.ts';
import { exportPerson } from './export/actions.ts';
import * as contract from './export/contract.ts';

/** Saved as a file by whoever opens it. */
const asFile = { 'Content-Disposition': 'attachment; filename="janji-export.json"' };

/** What people may ask of the clinic about their data, and the clinic for them. */
export const mountPrivacy = (mount: Mount): void => {
  mount(contract.ExportAccount, {
    answer: async (context) => ({
      status: 200,
      data: await exportPerson(context, context.actor.userId),
      headers: asFile,
    }),
  });
  mount(contract.ExportPatient, {
    resource: namedPatient,
    answer: async (context, _rows, { id }) => ({
      status: 200,
      data: await exportPerson(context, id),
      headers: asFile,
    }),
  });
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
