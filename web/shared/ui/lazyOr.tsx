import type { ComponentType } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Unreached } from '../api/take.ts';
import { online } from '../online.ts';
import { ReadFailure } from './States.tsx';

/** Says that a part of the program did not come, and asks for it again. */
export const PartFailure = ({ again }: { again: () => unknown }) => (
  <ReadFailure failure={new Unreached('A part did not come.')} again={again} />
);

const justNowMs = 1_000;

/**
 * A part that is loaded when it is first shown, as preact-iso's `lazy` does. Where it does not come, `Failed` is shown
 * in its place, and whoever comes back asks for it again.
 */
export const lazyOr = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  Failed: ComponentType<{ again: () => unknown }>,
): ComponentType<P> => {
  let Part: ComponentType<P> | undefined;
  let coming: Promise<void> | undefined;
  let failedAt = Number.NEGATIVE_INFINITY;
  const loadNow = async (): Promise<void> => {
    try {
      Part = await load();
    } catch {
      failedAt = Date.now();
    }
    coming = undefined;
  };
  const come = (): Promise<void> => {
    coming ??= loadNow();
    return coming;
  };
  return (props) => {
    // Drawn anew by what waits for it: that is the answer to the same question.
    const [isFailed, fail] = useState(() => Date.now() - failedAt < justNowMs);
    const waits = useRef<Promise<void> | null>(null);
    const [, draw] = useState(0);
    if (Part !== undefined) return <Part {...props} />;
    const settle = (): void => {
      fail(Part === undefined);
      draw((nth) => nth + 1);
    };
    if (isFailed)
      return (
        <Failed
          again={async () => {
            await come();
            // Browsers up to those of 2026 keep in mind that it did not come, until the page is loaded anew.
            if (Part === undefined && online.peek()) location.reload();
            settle();
          }}
        />
      );
    const promise = come();
    waits.current ??= promise.then(settle);
    throw promise;
  };
};
