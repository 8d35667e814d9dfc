import { Failure } from '../endpoint/errors.ts';
import { defaultLimit } from '../http/page.ts';

interface Feed {
  spans: readonly { oldest: number | null; newest: number | null; lookedThrough: number | null }[];
  rows: readonly { sequence: number }[];
}

/**
 * The position after which a feed continues, and whether more may follow now. Throws `changes_gone` if events after
 * `after` are no longer stored, or if the database was restored from a backup after it gave out `after`: the events it
 * answered after that backup do not exist here. Of a feed that is read `fromStart`, 0 is before all that is stored.
 */
export const feedPosition = (
  { after, limit = defaultLimit }: { after: number; limit?: number | undefined },
  { spans: [span], rows }: Feed,
  fromStart = false,
) => {
  const { oldest = null, newest = null, lookedThrough = null } = span ?? {};
  const first = fromStart && after === 0 ? 0 : (oldest ?? 0) - 1;
  if (after > (newest ?? 0) || after < first) throw new Failure('changes_gone');
  const shownTo = rows.at(-1)?.sequence ?? after;
  const sequence = rows.length === limit ? shownTo : Math.max(shownTo, lookedThrough ?? after);
  return { sequence, more: sequence < (newest ?? 0) };
};
