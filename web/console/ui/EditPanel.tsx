import type { Signal } from '@preact/signals';
import { X } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Attempt } from '../../shared/api/attempt.ts';
import { submitBy } from '../../shared/form.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { useKept } from '../../shared/ui/esc.tsx';
import { useFocusBack } from '../../shared/ui/focus.ts';
import { Icon } from '../../shared/ui/Icon.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';
import { words } from '../words.ts';
import look from './page.module.css';
import { whyNot } from './Shown.tsx';

interface PanelProps {
  title: string;
  onClose: () => void;
  /** Whether what was typed is being saved. */
  isSent?: boolean;
  children: ComponentChildren;
}

/** The panel beside a list: one entry, with a close button. It focuses the first field, or the title. */
export const SidePanel = ({ title, onClose, isSent = false, children }: PanelProps) => {
  const panel = useRef<HTMLElement>(null);
  const giveBack = useFocusBack();
  const { onInput, keep, kept } = useKept({ isSent });
  useLayoutEffect(() => {
    const element = panel.current;
    const first = element?.querySelector<HTMLElement>('input, select, textarea');
    (first ?? element?.querySelector<HTMLElement>('h2'))?.focus();
    return () => giveBack(element);
  }, []);
  return (
    <aside
      ref={panel}
      class={look.panel}
      aria-label={title}
      onInput={onInput}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && document.querySelector('dialog[open]') === null && !keep()) onClose();
      }}
    >
      <div class={`${look.line} ${look.spread}`}>
        <h2 tabIndex={-1}>{title}</h2>
        <button type="button" class={look.close} aria-label={common.value.close} onClick={onClose}>
          <Icon of={X} />
        </button>
      </div>
      {kept}
      {children}
    </aside>
  );
};

interface Props extends PanelProps {
  attempt: Attempt<[]>;
  labels?: Readonly<Record<string, string>>;
  submit?: string;
  /** Content below the button. */
  more?: ComponentChildren;
}

/** The form to add or change an entry, beside its list. */
export const EditPanel = ({ title, attempt, labels, submit, onClose, more, children }: Props) => (
  <SidePanel title={title} isSent={attempt.busy.value} onClose={onClose}>
    <form class={look.form} onSubmit={submitBy(attempt)}>
      <FormFailure failure={attempt.failure.value} labels={labels} />
      {children}
      <Button look="primary" type="submit" busy={attempt.busy.value} why={whyNot()}>
        {submit ?? words.value.save}
      </Button>
    </form>
    {more}
  </SidePanel>
);

/** Closes the panel that is open now. One that was opened while the other was being saved stays. */
export const createCloser = <T,>(beside: Signal<T | null>): (() => void) => {
  const own = beside.value;
  return () => {
    if (beside.peek() === own) beside.value = null;
  };
};
