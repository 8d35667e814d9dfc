import { authorOf } from '../auth/audit/queries.ts';
import type { Deps } from '../deps.ts';
import type { Language } from '../endpoint/messages.ts';
import type { Mount } from '../handler.ts';
import { changeRole, invitePerson, personView } from './actions.ts';
import * as contract from './contract.ts';
import { peoplePage, peopleRead } from './pages.ts';
import { findPerson } from './queries.ts';

const namedPerson = {
  read: ({ deps, params }: { deps: Deps; params: { id: string } }) => findPerson(deps.db, params),
  visible: () => true,
};

const changeOf = (context: Parameters<typeof authorOf>[0] & { language: Language }) => ({
  ...authorOf(context),
  language: context.language,
});

/** The people of the clinic: its staff, and its patients. */
export const mountPeople = (mount: Mount): void => {
  mount(contract.ListPeople, {
    reads: ({ deps, query }) => [peopleRead(deps, query)] as const,
    answer: ({ query }, [rows]) => peoplePage(rows, contract.ListPeople.path, query, personView),
  });
  mount(contract.InvitePerson, {
    answer: async (context) => {
      const { data, meta } = await invitePerson(context.deps, changeOf(context), context.body);
      const headers = { Location: `${contract.InvitePerson.path}/${data.id}` };
      return { status: 201, message: 'created', data, meta, headers };
    },
  });
  mount(contract.GetPerson, {
    resource: namedPerson,
    answer: (_context, _rows, row) => ({ status: 200, data: personView(row) }),
  });
  mount(contract.ChangeRole, {
    resource: namedPerson,
    answer: async (context) => ({
      status: 200,
      message: 'changed',
      ...(await changeRole(context.deps, changeOf(context), context.params.id, context.body)),
    }),
  });
};
