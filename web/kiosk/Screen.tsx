import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import style from './App.module.css';

/** One step: its heading takes the focus, so that it is read aloud and Tab continues from there. */
export const Screen = ({ title, children }: { title: string; children?: ComponentChildren }) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <main class={style.screen}>
      <h1 class={style.title} tabIndex={-1} ref={heading}>
        {title}
      </h1>
      {children}
    </main>
  );
};
