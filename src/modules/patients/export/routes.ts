import type { Mount } from '../../handler.ts';
import { namedPatient } from '../desk/resource.ts';
import { exportPerson } from './actions.ts';
import * as contract from './contract.ts';

/** The browser saves it as a file. */
const asFile = { 'Content-Disposition': 'attachment; filename="janji-export.json"' };

export const mountExport = (mount: Mount): void => {
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
};
