import type { ComponentChildren, Ref } from 'preact';
import type { Attempt } from '../api/attempt.ts';
import { Button } from '../ui/Button.tsx';
import { common } from '../words.ts';
import look from './factors.module.css';

interface Props {
  title: string;
  heading?: Ref<HTMLHeadingElement>;
  /** What the button says that makes the attempt. */
  act: string;
  attempt: Attempt<[]>;
  onClose: () => void;
  children: ComponentChildren;
}

/** A step in which a factor is set up: what it asks, the press that does it, and the way out. */
export const Step = ({ title, heading, act, attempt, onClose, children }: Props) => (
  <form
    class={look.card}
    onSubmit={(event) => {
      event.preventDefault();
      void attempt.run();
    }}
  >
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
