// Pure: the treatment of a row in an import, given the existing patients.

import type { FieldIssue } from '../../../core/endpoint/field-sentences.ts';
import type { OnDuplicate } from '../../../core/tables/words.ts';

/** The records that a row may be of, by their ids, each once. */
interface Matches {
  /** The record that the same row of the same source made or was found to be. */
  known: string | null;
  /** Whether the row is plainly of somebody else than that record: an id that several people share. */
  isForeign: boolean;
  /** Records that have one of its confirmed numbers. */
  sameNumber: readonly string[];
  /** Similar records, by the same rule as at the desk. */
  alike: readonly string[];
}

type Decision =
  | { act: 'create' }
  | { act: 'update'; id: string }
  | { act: 'leave'; id: string; outcome: 'unchanged' | 'skipped' }
  | { act: 'refuse'; issue: FieldIssue };

/**
 * A row whose id in its source is known is that patient, unless nothing of it fits. One that looks like somebody is skipped, updates
 * them, or makes another record, as was chosen; of several it is never guessed which one to update. A confirmed number is one person's alone.
 */
export const decideRow = ({ known, isForeign, sameNumber, alike }: Matches, on: OnDuplicate): Decision => {
  const numberTaken: Decision = { act: 'refuse', issue: { path: 'national_id', rule: 'number_taken' } };
  if (known !== null) {
    if (isForeign) return { act: 'refuse', issue: { path: 'external_id', rule: 'id_of_another' } };
    if (on !== 'update') return { act: 'leave', id: known, outcome: 'unchanged' };
    return sameNumber.some((id) => id !== known) ? numberTaken : { act: 'update', id: known };
  }
  const [twin] = sameNumber;
  if (twin !== undefined) {
    if (on === 'make' || sameNumber.length > 1) return numberTaken;
    return on === 'update' ? { act: 'update', id: twin } : { act: 'leave', id: twin, outcome: 'skipped' };
  }
  const [look] = alike;
  if (look === undefined || on === 'make') return { act: 'create' };
  if (on === 'skip') return { act: 'leave', id: look, outcome: 'skipped' };
  return alike.length > 1
    ? { act: 'refuse', issue: { path: 'name', rule: 'several_alike' } }
    : { act: 'update', id: look };
};
