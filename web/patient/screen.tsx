import { signal } from '@preact/signals';
import { ArrowLeft } from 'lucide';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Unreached } from '../shared/api/take.ts';
import { Icon } from '../shared/ui/Icon.tsx';
import { Freshness, ReadFailure, reading } from '../shared/ui/States.tsx';
import { common } from '../shared/words.ts';
import style from './screen.module.css';
import { words } from './words.ts';

/** The result of the last action, announced once on the next screen. */
export const said = signal<string | null>(null);

/** The message to announce on the next screen. */
let next: string | null = null;

/**
 * Announces an action's result on the next screen, however long that screen takes to load. Call it before the route
 * changes.
 */
export const sayOnNext = (text: string): void => {
  next = text;
};

/** A screen reader reads only changes after the render, so the text comes a moment later. */
const saidAfterMs = 50;

let isFirst = true;

/** Puts the focus on the heading, past everything above it. */
export const toHeading = (): void => document.querySelector<HTMLElement>('h1')?.focus();

/** The same if the focused element is gone, after the render. */
export const toHeadingIfLost = (): void =>
  void requestAnimationFrame(() => document.activeElement === document.body && toHeading());

interface Props {
  title: string;
  /** Where the way back leads; none on the three screens of the navigation. */
  back?: string;
  aside?: ComponentChildren;
  /** The heading is read aloud and visually hidden, because the content needs none. */
  isQuiet?: boolean;
  children: ComponentChildren;
}

/** One address of the app: its heading takes the focus, so that it is read aloud and Tab continues from there. */
export const Screen = ({ title, back, aside, isQuiet, children }: Props) => {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${words.value.app}`;
  }, [title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  useEffect(() => {
    const text = next;
    if (text === null) return;
    const timer = setTimeout(() => {
      next = null;
      said.value = text;
    }, saidAfterMs);
    return () => clearTimeout(timer);
  }, []);
  // In the same render as the screen: a moment later the next screen's message may be there already.
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

/** Shows that a part of the program failed to load, and loads it again. */
export const PartFailure = ({ again }: { again: () => unknown }) => {
  // The pressed element is removed once the part has loaded.
  useEffect(() => toHeadingIfLost, []);
  return <ReadFailure failure={new Unreached('A part did not come.')} again={again} />;
};

/** Instead of a screen whose code could not be loaded. */
export const NotLoaded = ({
  title = common.value.failed,
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
