import { buildPage, namePage } from '../../../core/http/page.ts';
import { toAuthor } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { byName, createdAt, everybody, type NamedRequest, retiring } from '../answers.ts';
import * as actions from './actions.ts';
import * as contract from './contract.ts';
import { findAllSessions, findSession, findSessionsByExternalId } from './queries.ts';

const sessionResource = {
  read: ({ deps, params }: NamedRequest) => findSession(deps.db, params),
  visible: everybody,
};

export const mountSessionsAdmin = (mount: Mount): void => {
  mount(contract.ListAllSessions, {
    reads: ({ deps, query }) =>
      query.external_id === undefined
        ? findAllSessions(deps.db, namePage(query))
        : findSessionsByExternalId(deps.db, { externalId: query.external_id }),
    answer: ({ query }, rows) => {
      const { shown, ...page } = buildPage(rows, contract.ListAllSessions.path, query, byName);
      return { status: 200, data: shown.map(actions.sessionView), ...page };
    },
  });
  mount(contract.CreateSession, {
    answer: async (context) =>
      createdAt(
        contract.CreateSession.path,
        await actions.createSession(context.deps, toAuthor(context), context.body, context.toStoredResponse),
      ),
  });
  mount(contract.GetAnySession, {
    resource: sessionResource,
    answer: (_context, _rows, row) => ({ status: 200, data: actions.sessionView(row) }),
  });
  mount(contract.ChangeSession, {
    resource: sessionResource,
    answer: async (context) => ({
      status: 200,
      ...(await actions.changeSession(context.deps, toAuthor(context), context.params.id, context.body)),
    }),
  });
  mount(contract.RetireSession, {
    resource: sessionResource,
    answer: async (context) => ({
      status: 200,
      ...(await actions.changeSession(context.deps, toAuthor(context), context.params.id, retiring)),
    }),
  });
};
