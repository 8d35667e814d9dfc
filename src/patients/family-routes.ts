import { authorOf } from '../auth/audit/queries.ts';
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
    answer: async (ask) => {
      const data = await addFamilyMember({ ...ask, by: authorOf(ask) }, ask.body);
      const headers = { Location: `${contract.ListFamily.path}/${data.id}` };
      return { status: 201, message: 'created', data, headers };
    },
  });
  mount(contract.ClaimFamilyMember, {
    answer: (ask) =>
      throttled(ask, 'claim', ask.actor.userId, async () => ({
        status: 200,
        message: 'family_claimed',
        data: await claimRecord({ ...ask, by: authorOf(ask) }, ask.login.email, ask.body),
      })),
  });
  mount(contract.ChangeFamilyMember, {
    resource: namedMember,
    answer: async (ask) => ({
      status: 200,
      message: 'changed',
      data: await changeFamilyMember({ ...ask, by: authorOf(ask) }, ask.params.id, ask.body),
    }),
  });
  mount(contract.EndFamilyMember, {
    resource: namedMember,
    answer: async (ask) => {
      await endFamilyMember({ ...ask, by: authorOf(ask) }, ask.params.id);
      return { status: 200, message: 'deleted' };
    },
  });
};
