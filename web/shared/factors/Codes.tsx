import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { person } from '../api/session.ts';
import { Button } from '../ui/Button.tsx';
import { words } from '../words/factors.ts';
import look from './factors.module.css';

/** The recovery codes, this once: to be copied, printed, or written down. */
export const Codes = ({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) => {
  const w = words.value;
  const isCopied = useSignal(false);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <section class={`${look.card} ${look.printed}`} aria-labelledby="kode-pemulihan">
      <h2 id="kode-pemulihan" tabIndex={-1} ref={heading}>
        {w.codesTitle}
      </h2>
      <p>
        {w.codesText} {w.codesOnce}
      </p>
      <p class={look.soft}>{w.codesOf(person.value?.user.email ?? person.value?.user.name ?? '')}</p>
      <ul class={look.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div class={look.buttons}>
        <Button
          onClick={() =>
            void navigator.clipboard?.writeText(codes.join('\n')).then(
              () => (isCopied.value = true),
              () => {},
            )
          }
        >
          {w.copy}
        </Button>
        <Button onClick={() => print()}>{w.print}</Button>
        <span role="status">{isCopied.value ? w.copied : ''}</span>
      </div>
      <Button look="primary" wide onClick={onKept}>
        {w.codesKept}
      </Button>
    </section>
  );
};
