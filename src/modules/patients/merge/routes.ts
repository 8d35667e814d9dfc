import { run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { toAuthor } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { findPatientRecord } from '../desk/queries.ts';
import { namedPatient } from '../desk/resource.ts';
import { mergeRecords, previewMerge } from './actions.ts';
import * as contract from './contract.ts';

const wrongTarget = (rule: 'not_found' | 'same_record') =>
  new Failure('validation_failed', { issues: [{ path: 'into', rule }] });

/** The record that stays, as the body names it or by one that was merged into it. */
const findTarget = async ({ db }: Deps, source: string, into: string, callerId: string): Promise<string> => {
  const [target] = await run(db, findPatientRecord(db, { id: into, callerId }));
  if (target === undefined || target.isVisible !== 1) throw wrongTarget('not_found');
  if (target.id === source) throw wrongTarget('same_record');
  return target.id;
};

export const mountMerges = (mount: Mount): void => {
  mount(contract.MergePatient, {
    resource: namedPatient,
    answer: async (context) => {
      const { deps, body, actor } = context;
      const source = context.params.id;
      const target = await findTarget(deps, source, body.into, actor.userId);
      if (body.dry_run === true)
        return {
          status: 200,
          message: 'merge_previewed',
          data: await previewMerge(deps, source, target),
          seen: [source, target],
        };
      const by = toAuthor(context);
      const { result } = await mergeRecords({
        deps,
        by,
        source,
        target,
        claimHash: null,
        joining: { isAsked: body.join_accounts === true, isConfirmed: body.confirm === true },
        respond: async (merged) => context.toStoredResponse({ status: 200, data: merged.result }),
      });
      return { status: 200, data: result };
    },
  });
};
