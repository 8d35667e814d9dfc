import { useSignal } from '@preact/signals';
import { Button } from '../../shared/ui/Button.tsx';
import { setup } from '../words/settings.ts';
import look from './page.module.css';

/** Something that is shown once, and a button that copies it. */
export const Copy = ({ text }: { text: string }) => {
  const isCopied = useSignal(false);
  return (
    <p class={look.line}>
      <code class={look.secret}>{text}</code>
      <Button
        small
        onClick={() =>
          void navigator.clipboard?.writeText(text).then(
            () => (isCopied.value = true),
            () => {},
          )
        }
      >
        {setup.value.people.copy}
      </Button>
      <span role="status">{isCopied.value ? setup.value.people.copied : ''}</span>
    </p>
  );
};
