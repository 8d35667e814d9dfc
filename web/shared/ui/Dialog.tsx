import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import style from './Dialog.module.css';

interface Props {
  title: string;
  /** Esc, and the browser's own way back. Focus returns to where it was. */
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal question. Whatever carries `autofocus` has the focus first: the harmless answer. */
export const Dialog = ({ title, onClose, children }: Props) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    const before = document.activeElement;
    element?.showModal();
    return () => {
      element?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={style.dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id} class={style.title}>
        {title}
      </h2>
      {children}
    </dialog>
  );
};

/** The answers of a dialog, the harmless one first. */
export const Answers = ({ children }: { children: ComponentChildren }) => (
  <div class={style.answers}>{children}</div>
);
