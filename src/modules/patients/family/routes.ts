import type { Deps } from '../../../core/deps.ts';
import { toAuthor } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { addFamilyMember, changeFamilyMember, endFamilyMember, familyPage, familyRead } from './actions.ts';
import * as contract from './contract.ts';
import { findMember } from './queries.ts';

interface Asking {
  deps: Deps;
  params: { id: string };
  caller: { userId: string };
}

/** One of the family that a path names, or the own record. */
const namedMember = {
  read: ({ deps, params, caller }: Asking) =>
    findMember(deps.db, { accountId: caller.userId, id: params.id }),
  visible: () => true,
};

export const mountFamily = (mount: Mount): void => {
  mount(contract.ListFamily, {
    reads: ({ deps, caller, query }) => familyRead(deps, caller.userId, query),
    answer: ({ deps, query }, rows) => familyPage(deps, rows, query),
  });
  mount(contract.AddFamilyMember, {
    answer: async (context) => {
      const data = await addFamilyMember({ ...context, by: toAuthor(context) }, context.body);
      const headers = { Location: `${contract.ListFamily.path}/${data.id}` };
      return { status: 201, data, headers };
    },
  });
  mount(contract.ChangeFamilyMember, {
    resource: namedMember,
    answer: async (context) => ({
      status: 200,
      data: await changeFamilyMember({ ...context, by: toAuthor(context) }, context.params.id, context.body),
    }),
  });
  mount(contract.EndFamilyMember, {
    resource: namedMember,
    answer: async (context) => {
      await endFamilyMember({ ...context, by: toAuthor(context) }, context.params.id);
      return { status: 200 };
    },
  });
};
