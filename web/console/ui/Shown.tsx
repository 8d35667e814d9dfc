import type { QueryObserverResult } from '@tanstack/query-core';
import type { ComponentChildren } from 'preact';
import type { Attempt } from '../../shared/api/attempt.ts';
import { online } from '../../shared/online.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Freshness, Pending, Sentence } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { ageOf } from '../data/clinic.ts';
import { words } from '../words.ts';

interface Props<T> {
  of: { data: T | undefined; error: Error | null; refetch: () => unknown };
  /** The number and height of the placeholder rows while it loads. */
  rows?: number;
  height?: number;
  /** Shown instead of an empty list. */
  empty?: ComponentChildren;
  children: (data: T) => ComponentChildren;
}

/** The data, or the state of the request. */
export const Shown = <T,>({ of, rows = 4, height = 44, empty, children }: Props<T>) => {
  if (of.data === undefined)
    return <Pending rows={rows} height={height} error={of.error} again={of.refetch} />;
  return (
    <>{empty !== undefined && Array.isArray(of.data) && of.data.length === 0 ? empty : children(of.data)}</>
  );
};

/** Shows the age of the data: without a connection, after a failed refresh, and after three intervals. */
export const Age = ({
  of,
  everyMs,
}: {
  of: Pick<QueryObserverResult, 'dataUpdatedAt' | 'isError'>;
  everyMs?: number;
}) => {
  const at = of.dataUpdatedAt;
  const isLate = everyMs !== undefined && at > 0 && ageOf(at) > 3 * everyMs + 10_000;
  return <Freshness at={at || undefined} isStale={of.isError || isLate} />;
};

/** Why the last press did nothing. */
export const Refusal = ({ of }: { of: Pick<Attempt<never>, 'failure'> }) =>
  of.failure.value === null ? null : (
    <p role="alert">
      <Sentence failure={of.failure.value} />
    </p>
  );

/** The further pages of a list. */
export const More = ({ of: { hasMore, more } }: { of: { hasMore: boolean; more: Attempt<[]> } }) =>
  hasMore ? (
    <div>
      <Refusal of={more} />
      <Button small busy={more.busy.value} why={whyNot()} onClick={() => void more.run()}>
        {words.value.more}
      </Button>
    </div>
  ) : null;

/** Why nothing can be sent now, if nothing can. */
export const whyNot = (): string | null => (online.value ? null : common.value.offlineAction);
