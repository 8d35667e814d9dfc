import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { session } from '../api/session.ts';
import style from './Dialog.module.css';
import { useKept } from './esc.tsx';
import { useFocusBack } from './focus.ts';

interface Props {
  title: string;
  /** Esc, and a phone's gesture for back. Focus returns to where it was. */
  onClose: () => void;
  narrow?: boolean;
  /** Whether it has a text from before it was drawn, such as before a login. */
  isChanged?: boolean | undefined;
  children: ComponentChildren;
}

const Modal = ({ title, onClose, narrow, isChanged, children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const giveBack = useFocusBack();
  const { onInput, keep, kept } = useKept({ isChanged });
  useLayoutEffect(() => {
    const element = dialog.current;
    const wasOut = session.peek().kind === 'out';
    element?.showModal();
    // Before the login is rendered: beside an open dialog no other element gets the focus or a key.
    const stop = session.subscribe(({ kind }) => {
      if (kind === 'out' && !wasOut) element?.close();
    });
    return () => {
      stop();
      giveBack(element, () => element?.close());
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={narrow ? `${style.dialog} ${style.narrow}` : style.dialog}
      aria-labelledby={id}
      onInput={onInput}
      onKeyDown={(event) => {
        // The browser closes it by itself the second time that only `cancel` is prevented.
        const isOwn = event.target instanceof Element && event.target.closest('dialog') === dialog.current;
        if (event.key === 'Escape' && isOwn && keep()) event.preventDefault();
      }}
      onCancel={(event) => {
        // A file that was not chosen says the same, and bubbles.
        if (event.target !== dialog.current) return;
        event.preventDefault();
        if (!keep()) onClose();
      }}
      // A second gesture for back is not asked first.
      onClose={() => {
        if (dialog.current === null) return;
        if (keep()) dialog.current.showModal();
        else onClose();
      }}
    >
      <h2 id={id} class={style.title}>
        {title}
      </h2>
      {kept}
      {children}
    </dialog>
  );
};

/**
 * A modal question. The element with `autofocus`, the harmless answer, gets the focus first. It closes while nobody is
 * logged in, since it makes the login form inert; it reopens with its input when the same person logs in.
 */
export const Dialog = (props: Props) => (session.value.kind === 'out' ? null : <Modal {...props} />);

/** The same where strangers may be asked, too. */
export const AnyonesDialog = (props: Props) => {
  const isStranger = useRef(session.peek().kind === 'out').current;
  return isStranger ? <Modal {...props} /> : <Dialog {...props} />;
};

/** The answers of a dialog, the harmless one first. */
export const Answers = ({ children }: { children: ComponentChildren }) => (
  <div class={style.answers}>{children}</div>
);
