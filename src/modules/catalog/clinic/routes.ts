import { Failure } from '../../../core/endpoint/errors.ts';
import { withETag } from '../../../core/http/etag.ts';
import { toAuthor } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { findClinic } from '../slots/queries.ts';
import { adminClinicView, changeClinic, clinicView } from './actions.ts';
import * as contract from './contract.ts';
import type { ClinicRow } from './queries.ts';

const existing = (row: ClinicRow | undefined): ClinicRow => {
  if (row === undefined) throw new Failure('unavailable');
  return row;
};

/** Shared caches may answer for a minute, so that any number of screens costs one request. */
const cached = { 'Cache-Control': 'public, max-age=0, s-maxage=60' };

export const mountClinicProfile = (mount: Mount): void => {
  mount(contract.GetClinic, {
    reads: ({ deps }) => findClinic(deps.db, {}),
    answer: ({ deps, now, header }, [row]) =>
      withETag(header, { status: 200, data: clinicView(deps, now, existing(row)) }, cached),
  });
  mount(contract.GetClinicRules, {
    reads: ({ deps }) => findClinic(deps.db, {}),
    answer: ({ deps, now }, [row]) => ({
      status: 200,
      data: adminClinicView(deps, now, existing(row)),
    }),
  });
  mount(contract.ChangeClinic, {
    answer: async (context) => ({
      status: 200,
      data: await changeClinic(context.deps, toAuthor(context), context.body),
    }),
  });
};
