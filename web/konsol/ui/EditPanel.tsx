import { X } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Attempt } from '../../shared/api/attempt.ts';
import { Refused } from '../../shared/api/take.ts';
import { online } from '../../shared/online.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Icon } from '../../shared/ui/Icon.tsx';
import { Banner, FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { setup } from '../words/atur.ts';
import { words } from '../words.ts';
import look from './page.module.css';

interface Props {
  title: string;
  attempt: Attempt<[]>;
  labels?: Readonly<Record<string, string>>;
  submit?: string;
  onClose: () => void;
  /** What stands below the button. */
  more?: ComponentChildren;
  children: ComponentChildren;
}

/** What is added or changed, beside its list. */
export const EditPanel = ({ title, attempt, labels, submit, onClose, more, children }: Props) => {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  const failure = attempt.failure.value;
  const isOther = failure instanceof Refused && failure.code === 'version_mismatch';
  return (
    <aside
      class={look.panel}
      aria-label={title}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div class={`${look.line} ${look.spread}`}>
        <h2>{title}</h2>
        <button type="button" class={look.close} aria-label={common.value.close} onClick={onClose}>
          <Icon of={X} />
        </button>
      </div>
      <form
        ref={form}
        class={look.form}
        onSubmit={(event) => {
          event.preventDefault();
          void attempt.run();
        }}
      >
        {isOther ? (
          <Banner kind="warning" role="alert">
            {setup.value.conflict}
          </Banner>
        ) : (
          <FormFailure failure={failure} labels={labels} />
        )}
        {children}
        <Button
          look="primary"
          type="submit"
          busy={attempt.busy.value}
          why={online.value ? null : common.value.offlineAction}
        >
          {submit ?? words.value.save}
        </Button>
      </form>
      {more}
    </aside>
  );
};

export const fieldsOf = (attempt: Attempt<[]>): Readonly<Record<string, string[]>> =>
  attempt.failure.value instanceof Refused ? attempt.failure.value.fields : {};
