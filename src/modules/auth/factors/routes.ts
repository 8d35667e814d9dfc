import type { Mount } from '../../handler.ts';
import { throttled } from '../throttle/throttled.ts';
import { confirmTotp, factorView, makeRecoveryCodes, removeFactor, startTotp } from './actions.ts';
import * as contract from './contract.ts';
import { findPasskeys } from './passkey-queries.ts';
import { addPasskey, beginPasskey } from './passkeys.ts';
import { countRecoveryCodes, findFactor, findFactors, findPending } from './queries.ts';

export const mountFactors = (mount: Mount): void => {
  mount(contract.ListSecondFactors, {
    reads: ({ deps: { db }, caller: { userId } }) => ({
      factors: findFactors(db, { userId }),
      codes: countRecoveryCodes(db, { userId }),
    }),
    answer: ({ deps, actor }, { factors, codes: [left] }) => ({
      status: 200,
      data: {
        factors: factors.map(factorView),
        codes_left: left?.count ?? 0,
        required: deps.config.REQUIRE_SECOND_FACTOR.includes(actor.role),
      },
    }),
  });
  mount(contract.StartTotp, {
    answer: async (context) => ({
      status: 201,
      data: await startTotp(context, context.body.name),
    }),
  });
  mount(contract.ConfirmTotp, {
    reads: ({ deps: { db }, caller: { userId } }) => findPending(db, { userId }),
    answer: (context, [pending]) =>
      throttled(context, { act: 'second-factor', account: context.actor.userId }, async (attempt) => ({
        status: 200,
        data: await confirmTotp(context, context.body.code, pending, attempt),
      })),
  });
  mount(contract.BeginPasskey, {
    reads: ({ deps: { db }, caller: { userId } }) => findPasskeys(db, { userId }),
    answer: async (context, passkeys) => ({ status: 200, data: await beginPasskey(context, passkeys) }),
  });
  mount(contract.AddPasskey, {
    answer: (context) =>
      throttled(context, { act: 'second-factor', account: context.actor.userId }, async (attempt) => ({
        status: 201,
        data: await addPasskey(context, context.body, attempt),
      })),
  });
  mount(contract.MakeRecoveryCodes, {
    answer: async (context) => ({
      status: 200,
      data: await makeRecoveryCodes(context),
    }),
  });
  mount(contract.RemoveSecondFactor, {
    resource: {
      read: ({ deps, params }) => findFactor(deps.db, params),
      visible: ({ userId, confirmedAt }, actor) => userId === actor.userId && confirmedAt !== null,
    },
    answer: async (context, _rows, factor) => {
      await removeFactor(context, factor);
      return { status: 200 };
    },
  });
};
