import { toAuthor } from '../../auth/audit/queries.ts';
import { parseOwner } from '../../auth/owner.ts';
import { throttled } from '../../auth/throttle/throttled.ts';
import type { Mount } from '../../handler.ts';
import { namedPatient } from '../desk/resource.ts';
import { claimRecord } from './actions.ts';
import { createClaimCode } from './codes.ts';
import * as contract from './contract.ts';

export const mountClaims = (mount: Mount): void => {
  mount(contract.CreateClaimCode, {
    resource: namedPatient,
    answer: async (context, _reads, patient) => ({
      status: 201,
      data: await createClaimCode({ ...context, by: toAuthor(context) }, patient),
    }),
  });
  mount(contract.ClaimFamilyMember, {
    answer: (context) =>
      throttled(context, { act: 'claim', account: context.actor.userId }, async () => ({
        status: 200,
        data: await claimRecord(
          { ...context, by: toAuthor(context) },
          parseOwner(context.login).email,
          context.body,
        ),
      })),
  });
};
