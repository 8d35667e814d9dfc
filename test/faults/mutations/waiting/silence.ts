import type { WaitingState } from '../../../support/offer-oracle.ts';

/** Entries that still wait though three offers in a row were not answered, or were ended for that before the third. */
export const misjudged = ({ rows, entries }: Pick<WaitingState, 'rows' | 'entries'>) =>
  entries.filter(({ id, endedAs }) => {
    const ended = rows
      .filter(({ waitlistId, canceledAt }) => waitlistId === id && canceledAt !== null)
      .sort(
        (a, b) =>
          (a.canceledAt ?? 0) - (b.canceledAt ?? 0) || (a.cancelReasonCode === 'offer_lapsed' ? -1 : 1),
      );
    const answered = ended.findLastIndex(({ cancelReasonCode }) => cancelReasonCode === 'offer_declined');
    const inRow = ended.slice(answered + 1).filter((row) => row.cancelReasonCode === 'offer_lapsed').length;
    return endedAs === null ? inRow > 2 : endedAs === 'unanswered' && inRow < 3;
  });
