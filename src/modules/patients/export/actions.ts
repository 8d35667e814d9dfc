import { RequestRepeated } from '../../../core/idempotency/key.ts';
import type { AuthenticatedContext } from '../../auth/context.ts';
import { readAll } from './reads.ts';
import { exportView } from './views.ts';

/** Everything that is stored of a person and the family, for one file. */
export const exportPerson = async (context: AuthenticatedContext, personId: string) => {
  const rows = await readAll(context, personId);
  if (rows.written.length === 0) throw new RequestRepeated();
  return exportView(context, personId, rows);
};
