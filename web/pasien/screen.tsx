import { signal } from '@preact/signals';
import { ArrowLeft } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../shared/ui/Icon.tsx';
import { PartFailure } from '../shared/ui/lazyOr.tsx';
import { Freshness, reading } from '../shared/ui/States.tsx';
import { common } from '../shared/words.ts';
import style from './screen.module.css';
import { words } from './words.ts';

/** What the last action did, said once on the screen that it led to. */
export const said = signal<string | null>(null);

let isFirst = true;

/** Puts the focus on the heading, where what had it is gone. */
export const toHeading = (): void => document.querySelector<HTMLElement>('h1')?.focus();

/** The same, once what was changed is drawn, unless something else has the focus by then. */
export const toHeadingIfLost = (): void =>
  void requestAnimationFrame(() => document.activeElement === document.body && toHeading());

interface Props {
  title: string;
  /** Where the way back leads; none on the three screens of the navigation. */
  back?: string;
  aside?: ComponentChildren;
  /** The heading is read aloud and not shown: what stands below speaks for itself. */
  isQuiet?: boolean;
  children: ComponentChildren;
}

/** One address of the app: its heading takes the focus, so that it is read aloud and Tab goes on from there. */
export const Screen = ({ title, back, aside, isQuiet, children }: Props) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${words.value.app}`;
  }, [title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  // With the screen itself: a moment later what is said on the next one may stand there already.
  useLayoutEffect(
    () => () => {
      said.value = null;
    },
    [],
  );
  return (
    <main class={style.screen} id="isi">
      <div class={isQuiet ? 'aloud' : style.head}>
        {back && (
          <a class={style.back} href={back} aria-label={common.value.back}>
            <Icon of={ArrowLeft} size={24} />
          </a>
        )}
        <h1 class={style.title} tabIndex={-1} ref={heading}>
          {title}
        </h1>
        {aside}
      </div>
      <p class={said.value ? style.said : 'aloud'} role="status">
        {said.value}
      </p>
      {/* What is read without a connection waits for it, and never fails. */}
      {reading.value > 0 && <Freshness />}
      {children}
    </main>
  );
};

/** In place of a screen whose part of the program did not come. */
export const NotLoaded = ({
  title = words.value.app,
  back = '/pasien/',
  again,
}: {
  title?: string;
  back?: string;
  again: () => unknown;
}) => (
  <Screen title={title} back={back}>
    <PartFailure again={again} />
  </Screen>
);
