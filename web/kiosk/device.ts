import { signal } from '@preact/signals';
import { del, get, set } from 'idb-keyval';
import { createClient } from '../../client/index.ts';
import { accent } from '../shared/accent.ts';
import { open } from '../shared/api/clients.ts';
import { Refused, take } from '../shared/api/take.ts';
import { noteClock } from '../shared/clock.ts';
import { language } from '../shared/preferences.ts';
import { clinicZone } from '../shared/time.ts';

// The key of this tablet: it can check in who is booked today, and nothing else. IndexedDB keeps it over a power failure.
const place = 'kios';

interface Device {
  /** `unknown` until the browser's database has answered; `new` was paired a moment ago and is still set up. */
  state: 'unknown' | 'unpaired' | 'new' | 'paired';
  /** Whether the clinic ended it while it was in use. */
  isEnded?: boolean;
}

export const device = signal<Device>({ state: 'unknown' });
let key = '';

export const clinicName = signal('');
export const clinicLogo = signal<string | null>(null);
/** Whether patients may check in here; undefined until the clinic's data was read. */
export const isOpen = signal<boolean | undefined>(undefined);

const clinicEveryMs = 60_000;

const readClinic = async (): Promise<void> => {
  try {
    const { data } = await take(open.v1.clinic.$get());
    clinicZone.value = data.time_zone;
    clinicName.value = data.name;
    clinicLogo.value = data.logo;
    accent.value = data.color;
    isOpen.value = data.self_check_in_minutes > 0;
  } catch {
    // The next minute may reach the service; a check-in says by itself that it does not.
  }
};

const withKey = (token: string) =>
  createClient(location.origin, {
    fetch: async (input: RequestInfo | URL, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set('Authorization', `Bearer ${token}`);
      headers.set('Accept-Language', language.peek());
      const answer = await fetch(input, { ...init, headers });
      noteClock(answer.headers);
      return answer;
    },
  });

// A private window may have no database: the tablet then has to be paired again after a reload.
const quietly = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);

const forget = (): void => {
  key = '';
  void quietly(del(place));
  device.value = { state: 'unpaired', isEnded: true };
};

const ended: readonly string[] = ['unauthenticated', 'insufficient_scope'];

/** Checks a patient in; a key that opens nothing any more is forgotten. */
export const checkIn = async (json: { code: string; birth_date?: string }) => {
  try {
    return (await take(withKey(key).v1['check-ins'].$post({ json }))).data;
  } catch (error) {
    if (error instanceof Refused && ended.includes(error.code)) forget();
    throw error;
  }
};
export type CheckedIn = Awaited<ReturnType<typeof checkIn>>;

/** The key in what the console shows: the key itself, or the address that contains it. */
export const keyIn = (text: string): string | null =>
  /(?:#kunci=|^\s*)(janji_[\w-]{20,80})\s*$/.exec(text)?.[1] ?? null;

/**
 * Pairs the tablet with a key, if it may check patients in: an empty request is refused for its content only to who may
 * send it. Resolves to false otherwise.
 */
export const pair = async (given: string): Promise<boolean> => {
  try {
    await take(withKey(given).v1['check-ins'].$post({ json: {} as { code: string } }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.code !== 'validation_failed') {
      if (ended.includes(error.code)) return false;
      throw error;
    }
  }
  key = given;
  await quietly(set(place, given));
  device.value = { state: 'new' };
  return true;
};

/** Ends the set-up: from now on patients use it. */
export const begin = (): void => {
  device.value = { state: 'paired' };
};

/** Finds the key of this tablet; one in the address comes from the console, and is taken out of it at once. */
export const startDevice = async (): Promise<void> => {
  void readClinic();
  setInterval(() => void readClinic(), clinicEveryMs);
  const given = keyIn(location.hash);
  if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search);
  if (given !== null && (await pair(given).catch(() => false))) return;
  const kept = (await quietly(get(place))) as string | undefined;
  key = kept ?? '';
  const isSetUp = new URLSearchParams(location.search).has('atur');
  device.value = { state: kept === undefined ? 'unpaired' : isSetUp ? 'new' : 'paired' };
};
