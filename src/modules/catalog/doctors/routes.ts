import { buildPage, namePage } from '../../../core/http/page.ts';
import { toAuthor } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { byName, createdAt, everybody, type NamedRequest, retiring } from '../answers.ts';
import { findDoctor } from '../slots/queries.ts';
import * as actions from './actions.ts';
import * as contract from './contract.ts';
import { findAllDoctors, findDoctorsByExternalId } from './queries.ts';

const doctorResource = {
  read: ({ deps, params }: NamedRequest) => findDoctor(deps.db, { doctorId: params.id }),
  visible: everybody,
};

export const mountDoctorsAdmin = (mount: Mount): void => {
  mount(contract.ListAllDoctors, {
    reads: ({ deps, query }) =>
      query.external_id === undefined
        ? findAllDoctors(deps.db, namePage(query))
        : findDoctorsByExternalId(deps.db, { externalId: query.external_id }),
    answer: ({ query }, rows) => {
      const { shown, ...page } = buildPage(rows, contract.ListAllDoctors.path, query, byName);
      return { status: 200, data: shown.map(actions.doctorView), ...page };
    },
  });
  mount(contract.CreateDoctor, {
    answer: async (context) =>
      createdAt(
        contract.CreateDoctor.path,
        await actions.createDoctor(context.deps, toAuthor(context), context.body, context.toStoredResponse),
      ),
  });
  mount(contract.GetAnyDoctor, {
    resource: doctorResource,
    answer: (_context, _rows, row) => ({ status: 200, data: actions.doctorView(row) }),
  });
  mount(contract.ChangeDoctor, {
    resource: doctorResource,
    answer: async (context) => ({
      status: 200,
      ...(await actions.changeDoctor(context.deps, toAuthor(context), context.params.id, context.body)),
    }),
  });
  mount(contract.RetireDoctor, {
    resource: doctorResource,
    answer: async (context) => ({
      status: 200,
      ...(await actions.changeDoctor(context.deps, toAuthor(context), context.params.id, retiring)),
    }),
  });
};
