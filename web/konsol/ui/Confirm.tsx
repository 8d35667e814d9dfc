import type { ComponentChildren } from 'preact';
import { useAttempt } from '../../shared/api/attempt.ts';
import { online } from '../../shared/online.ts';
import { Button } from '../../shared/ui/Button.tsx';
import { Answers, Dialog } from '../../shared/ui/Dialog.tsx';
import { FormFailure } from '../../shared/ui/States.tsx';
import { common } from '../../shared/words.ts';

interface Props {
  title: string;
  text: ComponentChildren;
  /** What is done, on the button. */
  verb: string;
  work: (key: string) => Promise<unknown>;
  onClose: (isDone: boolean) => void;
}

/** Asks before something that cannot be taken back; the harmless answer has the focus. */
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
        <Button
          look="danger"
          busy={attempt.busy.value}
          why={online.value ? null : common.value.offlineAction}
          onClick={async () => {
            if (await attempt.run()) onClose(true);
          }}
        >
          {verb}
        </Button>
      </Answers>
    </Dialog>
  );
};
