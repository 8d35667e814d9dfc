import type { ComponentChildren, Ref } from 'preact';
import type { Attempt } from '../api/attempt.ts';
import { submitBy } from '../form.ts';
import { Button } from '../ui/Button.tsx';
import { common } from '../words.ts';
import look from './factors.module.css';

interface Props {
  title: string;
  heading?: Ref<HTMLHeadingElement>;
  /** The label of the submit button. */
  act: string;
  attempt: Attempt<[]>;
  onClose: () => void;
  children: ComponentChildren;
}

/** A step in which a factor is set up: its fields, its submit button, and a cancel button. */
export const Step = ({ title, heading, act, attempt, onClose, children }: Props) => (
  <form class={look.card} onSubmit={submitBy(attempt)}>
    <h2 tabIndex={-1} ref={heading}>
      {title}
    </h2>
    {children}
    <Button look="primary" type="submit" wide busy={attempt.busy.value}>
      {act}
    </Button>
    <Button look="quiet" onClick={onClose}>
      {common.value.cancel}
    </Button>
  </form>
);
