import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { logOut } from '../../shared/api/session.ts';

const limitMs = 30 * 60_000;
const warningMs = 60_000;

/** Seconds until the desk is logged out; null while somebody works at it. */
export const leaving = signal<number | null>(null);
/** Whether the last login ended for want of use. */
export const leftIdle = signal(false);

const others = 'BroadcastChannel' in globalThis ? new BroadcastChannel('janji-konsol') : null;
let lastUse = Date.now();
let lastTold = 0;

const noteUse = (): void => {
  // While the question is open, only its answer counts as activity.
  if (leaving.peek() !== null) return;
  lastUse = Date.now();
  if (lastUse - lastTold < 10_000) return;
  lastTold = lastUse;
  others?.postMessage('dipakai');
};

export const stay = (): void => {
  leaving.value = null;
  lastTold = 0;
  noteUse();
};

export const leave = (isIdle: boolean): void => {
  leaving.value = null;
  leftIdle.value = isIdle;
  void logOut().catch(() => {});
};

/** Ends an unused login: after half an hour without a key or pointer, in any tab, and a minute to object. */
export const useIdleEnd = (): void => {
  useEffect(() => {
    lastUse = Date.now();
    const heard = (): void => {
      lastUse = Date.now();
      leaving.value = null;
    };
    const look = setInterval(() => {
      const idle = Date.now() - lastUse;
      if (idle < limitMs) return;
      const left = Math.ceil((limitMs + warningMs - idle) / 1000);
      if (left <= 0) leave(true);
      else leaving.value = left;
    }, 1_000);
    const kinds = ['keydown', 'pointerdown', 'pointermove', 'wheel'] as const;
    for (const kind of kinds) addEventListener(kind, noteUse, { passive: true });
    others?.addEventListener('message', heard);
    return () => {
      clearInterval(look);
      for (const kind of kinds) removeEventListener(kind, noteUse);
      others?.removeEventListener('message', heard);
    };
  }, []);
};
