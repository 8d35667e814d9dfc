import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { session } from '../../shared/api/session.ts';
import { lazyOr } from '../../shared/lazy.ts';
import { online } from '../../shared/online.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Banner, Freshness, ReadFailure, Skeleton } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import style from '../screen.module.css';
import { PartFailure, toHeadingIfLost } from '../screen.tsx';
import { askAgain, startFailure } from '../start.ts';
import { words } from '../words.ts';

const Entry = lazyOr(PartFailure)(() => import('./Entry.tsx'));

/**
 * Shows its children to a logged-in person; to others the login, at the same address. If the login ended by itself, the
 * children stay mounted but hidden: the same person finds their input again, and nobody else does.
 */
export const NeedsLogin = ({ say, children }: { say?: string; children: ComponentChildren }) => {
  const now = session.value;
  const whose = useRef<string | null>(null);
  if (now.kind === 'in') whose.current = now.user.id;
  if (now.kind === 'out' && !now.ended) whose.current = null;
  const before = useRef(now.kind);
  useEffect(() => {
    // The element that had the focus is gone: the form that is hidden now, or the login.
    if (before.current !== now.kind) toHeadingIfLost();
    before.current = now.kind;
  }, [now.kind]);
  return (
    <>
      {now.kind === 'unknown' && <Unknown />}
      {now.kind === 'out' && (
        <>
          <Banner role="status">
            {now.ended ? common.value.sessionEnded : (say ?? words.value.needLogin)}
          </Banner>
          <Entry />
        </>
      )}
      {whose.current !== null && (
        <div class={style.held} hidden={now.kind !== 'in'} key={whose.current}>
          {children}
        </div>
      )}
    </>
  );
};

/** The session is unknown: the first answer has not come yet, or the service cannot be reached. */
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
    toHeadingIfLost();
  };
  return <ReadFailure failure={startFailure.value} again={again} />;
};
