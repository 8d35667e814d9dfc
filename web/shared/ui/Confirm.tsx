import type { ComponentChildren } from 'preact';
import { useAttempt } from '../api/attempt.ts';
import { common } from '../words.ts';
import { Button } from './Button.tsx';
import { Answers, Dialog } from './Dialog.tsx';
import { SendButton } from './SendButton.tsx';
import { FormFailure } from './States.tsx';

interface Props {
  title: string;
  text: ComponentChildren;
  /** The label of the confirming button. */
  verb: string;
  work: (key: string) => Promise<unknown>;
  onClose: (isDone: boolean) => void;
}

/** Asks before an action that cannot be undone; the safe answer has the focus. */
export const Confirm = ({ title, text, verb, work, onClose }: Props) => {
  const attempt = useAttempt(work);
  return (
    <Dialog title={title} onClose={() => onClose(false)}>
      <p>{text}</p>
      <FormFailure failure={attempt.failure.value} />
      <Answers>
        <Button autofocus onClick={() => onClose(false)}>
          {common.value.cancel}
        </Button>
        <SendButton
          look="danger"
          busy={attempt.busy.value}
          onClick={async () => {
            if (await attempt.run()) onClose(true);
          }}
        >
          {verb}
        </SendButton>
      </Answers>
    </Dialog>
  );
};
