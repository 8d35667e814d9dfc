import { authorOf } from '../auth/audit/queries.ts';
import { ownerOf } from '../auth/owner.ts';
import { throttled } from '../auth/throttle/throttled.ts';
import type { Deps } from '../deps.ts';
import type { Mount } from '../handler.ts';
import { claimRecord } from './claim/actions.ts';
import {
  addFamilyMember,
  changeFamilyMember,
  endFamilyMember,
  familyPage,
  familyRead,
} from './family/actions.ts';
import * as contract from './family/contract.ts';
import { findMember } from './family/queries.ts';

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
    reads: ({ deps, caller, query }) => [familyRead(deps, caller.userId, query)] as const,
    answer: ({ deps, query }, [rows]) => familyPage(deps, rows, query),
  });
  mount(contract.AddFamilyMember, {
    answer: async (context) => {
      const data = await addFamilyMember({ ...context, by: authorOf(context) }, context.body);
      const headers = { Location: `${contract.ListFamily.path}/${data.id}` };
      return { status: 201, message: 'created', data, headers };
    },
  });
  mount(contract.ClaimFamilyMember, {
    answer: (context) =>
      throttled(context, 'claim', context.actor.userId, async () => ({
        status: 200,
        message: 'family_claimed',
        data: await claimRecord(
          { ...context, by: authorOf(context) },
          ownerOf(context.login).email,
          context.body,
        ),
      })),
  });
  mount(contract.ChangeFamilyMember, {
    resource: namedMember,
    answer: async (context) => ({
      status: 200,
      message: 'changed',
      data: await changeFamilyMember({ ...context, by: authorOf(context) }, context.params.id, context.body),
    }),
  });
  mount(contract.EndFamilyMember, {
    resource: namedMember,
    answer: async (context) => {
      await endFamilyMember({ ...context, by: authorOf(context) }, context.params.id);
      return { status: 200, message: 'deleted' };
    },
  });
};
