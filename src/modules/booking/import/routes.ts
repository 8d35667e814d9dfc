import { toAuthor } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { importResource } from '../../patients/import/routes.ts';
import { importVisits } from './actions.ts';
import * as contract from './contract.ts';

export const mountVisitImports = (mount: Mount): void => {
  mount(contract.ImportVisits, {
    resource: importResource,
    answer: async (context) => {
      const { params, body } = context;
      const { data, meta } = await importVisits({ ...context, by: toAuthor(context) }, params.id, body);
      return { status: 200, data, meta };
    },
  });
};
