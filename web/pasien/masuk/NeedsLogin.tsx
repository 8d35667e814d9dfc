import type { ComponentChildren } from 'preact';
import { lazy } from 'preact-iso';
import { session } from '../../shared/api/session.ts';
import { online } from '../../shared/online.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Banner, Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { toHeading } from '../screen.tsx';
import { askAgain, startFailure } from '../start.ts';
import { words } from '../words.ts';

const Entry = lazy(() => import('./Entry.tsx'));

/** Shows its children to who is logged in; to others the login, on this same address. */
export const NeedsLogin = ({ say, children }: { say?: string; children: ComponentChildren }) => {
  const now = session.value;
  if (now.kind === 'in') return <>{children}</>;
  if (now.kind === 'out')
    return (
      <>
        <Banner role="status">
          {now.ended ? common.value.sessionEnded : (say ?? words.value.needLogin)}
        </Banner>
        <Entry />
      </>
    );
  return <Unknown />;
};

/** Nobody knows yet who this is: the first answer is still to come, or the service cannot be reached. */
export const Unknown = () => {
  if (!online.value)
    return (
      <>
        <Freshness />
        <Button onClick={askAgain}>{common.value.retry}</Button>
      </>
    );
  if (startFailure.value === null) return <Skeleton rows={2} height={120} />;
  const again = () => {
    askAgain();
    toHeading();
  };
  return <ReadFailure failure={startFailure.value} again={again} />;
};
