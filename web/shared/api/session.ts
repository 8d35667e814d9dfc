import { computed, signal } from '@preact/signals';
import type { Schemas } from '../../../client/index.ts';
import { keep, kept } from '../preferences.ts';
import { open } from './clients.ts';
import { mustEnrol } from './enrolment.ts';
import { forgetReads, restReads, resumeReads } from './resource.ts';
import { Refused, take } from './take.ts';
import { bearerIfAny, forgetToken, holdToken, onRenewal } from './token.ts';

type App = 'pasien' | 'konsol';

const refreshed = async (name: App) =>
  (await take(open.v1.auth.session.refresh.$post({ json: { app: name } }))).data;
type Session = NonNullable<Awaited<ReturnType<typeof refreshed>>>;
export type Person = Pick<Session, 'user' | 'role' | 'email_proved'>;

/** `unknown` until the first refresh was answered; `ended`: the login ended without the person's action. */
type SessionState = { kind: 'unknown' } | { kind: 'out'; ended: boolean } | ({ kind: 'in' } & Person);

export const session = signal<SessionState>({ kind: 'unknown' });
export const person = computed(() => (session.value.kind === 'in' ? session.value : null));

let app: App = 'pasien';
const others = 'BroadcastChannel' in globalThis ? new BroadcastChannel('janji') : null;
const forgetters: ((ended: boolean) => unknown)[] = [];

/** The person whose data is on the page: also after the login has ended by itself, until another person logs in. */
let holder: string | null = null;

/**
 * Registers a function that clears data when the login ends, beyond the token and the loaded data. `ended` is true if
 * the login ended without the person's action: their input may then stay. Before another person logs in, all are called
 * again with false.
 */
export const onForget = (forget: (ended: boolean) => unknown): void => void forgetters.push(forget);

const enter = async ({ user, role, email_proved, access_token, expires_in }: Session): Promise<void> => {
  if (holder !== null && holder !== user.id) {
    forget(false);
    // Components with the other person's data are removed before anything is read again.
    await new Promise((wake) => setTimeout(wake));
  }
  holder = user.id;
  holdToken(access_token, expires_in, user.id);
  resumeReads();
  session.value = { kind: 'in', user, role, email_proved };
};

const forget = (ended: boolean): void => {
  if (!ended) holder = null;
  forgetToken();
  mustEnrol.value = false;
  if (ended) restReads();
  else forgetReads();
  for (const each of forgetters) each(ended);
  session.value = { kind: 'out', ended };
};

const locked = <T>(work: () => Promise<T>): Promise<T> =>
  'locks' in navigator ? navigator.locks.request('janji-refresh', work) : work();

// A logout that the service has not answered yet: until then, the cookie would log the same person in again.
const isLeaving = (): boolean => kept(`keluar-${app}`) !== null;
const noteLeaving = (is: boolean): void => keep(`keluar-${app}`, is ? 'ya' : null);

const tellLogout = async (): Promise<void> => {
  await take(open.v1.auth.session.$delete({ json: { app } }, { headers: bearerIfAny() }));
  noteLeaving(false);
};

const renewNow = async (): Promise<boolean> => {
  if (isLeaving()) {
    await tellLogout().catch(() => {});
    forget(false);
    return false;
  }
  const wasIn = session.peek().kind === 'in';
  const data = await locked(() => refreshed(app));
  if (data === null) {
    forget(wasIn);
    return false;
  }
  await enter(data);
  return true;
};

let renewing: Promise<boolean> | null = null;

/** Gets a new access token with the cookie; two calls at once share one request. */
export const renew = (): Promise<boolean> => {
  renewing ??= renewNow().finally(() => {
    renewing = null;
  });
  return renewing;
};

/** Starts the session of an app. Rejects if the service cannot be reached: call it again then. */
export const startSession = async (name: App): Promise<void> => {
  app = name;
  onRenewal(() => renew().catch(() => false));
  others?.addEventListener('message', ({ data }) => {
    if (data === `keluar ${app}`) forget(false);
    if (data === `masuk ${app}`) void renew().catch(() => {});
  });
  addEventListener('online', () => {
    if (isLeaving()) void tellLogout().catch(() => {});
  });
  // A page from the back/forward cache may show another person's data. It is hidden until the session is checked, for a
  // moment at most; input is lost only if the service does not answer.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    const { style } = document.documentElement;
    style.visibility = 'hidden';
    const timer = setTimeout(() => show(false), 2_000);
    const show = (isKnown: boolean): void => {
      clearTimeout(timer);
      if (!isKnown) session.value = { kind: 'unknown' };
      style.visibility = '';
    };
    renew().then(
      () => show(true),
      () => show(false),
    );
  });
  await renew();
};

interface Credentials {
  email: string;
  password: string;
  remember: boolean;
}

const arrive = async (data: Session): Promise<void> => {
  noteLeaving(false);
  await enter(data);
  others?.postMessage(`masuk ${app}`);
};

/** The second factors that a login accepts: a code, or one of these passkeys. */
export interface Wanted {
  challenge: string;
  kinds: readonly ('totp' | 'passkey')[];
  passkey?: Schemas['PasskeyRequestOptions'] | undefined;
}

/** The challenge if a login needs a second factor; null if it was made. */
const unlessWanted = async (login: () => Promise<void>): Promise<Wanted | null> => {
  try {
    await login();
    return null;
  } catch (error) {
    const wanted = error instanceof Refused ? error.as('second_factor_required') : null;
    if (wanted === null) throw error;
    return wanted;
  }
};

/** Enters by a login that was asked for elsewhere; returns the challenge if a second factor is needed. */
export const enterWith = (asked: Promise<{ data: Session }>): Promise<Wanted | null> =>
  unlessWanted(async () => arrive((await asked).data));

/** Logs in; returns the challenge if a second factor is needed. */
export const logIn = ({ email, password, remember }: Credentials): Promise<Wanted | null> =>
  unlessWanted(async () => {
    const { data } = await take(open.v1.auth.session.$post({ json: { email, password, remember, app } }));
    await arrive(data);
  });

interface ByCode {
  email?: string;
  phone?: string;
  code: string;
  /** Of a new person. */
  name?: string;
  birth_date?: string;
}

/** Logs in, or registers, by a code that was sent; returns the challenge if a second factor is needed. */
export const logInByCode = (given: ByCode, remember: boolean): Promise<Wanted | null> =>
  unlessWanted(async () => {
    const { data } = await take(open.v1.auth.code.verify.$post({ json: { ...given, remember, app } }));
    if ('role' in data) await arrive(data);
  });

/** The proof of the second factor. */
type Proof = { code: string } | { recovery_code: string } | { assertion: Schemas['PasskeyAssertion'] };

export const logInWithFactor = async (challenge: string, proof: Proof, remember: boolean): Promise<void> => {
  const json = { challenge, ...proof, remember, app };
  const { data } = await take(open.v1.auth.login['second-factor'].$post({ json }));
  if ('role' in data) await arrive(data);
};

interface Registration {
  name: string;
  phone_number: string;
  phone_country_code: string;
  email: string;
  password: string;
  password_confirmation: string;
}

export const register = async (input: Registration, remember: boolean): Promise<void> => {
  const { data } = await take(
    open.v1.auth.register.$post({ json: { ...input, device_id: '', remember, app } }),
  );
  if ('role' in data) await arrive(data);
};

/** Creates the first admin with the token of the set-up link, and logs them in. */
export const enterAsFirstAdmin = async (
  json: Pick<Registration, 'name' | 'email' | 'password' | 'password_confirmation'> & { token: string },
): Promise<void> => arrive((await take(open.v1.setup.$post({ json }))).data);

/** Ends the login; the loaded data is deleted even if the service cannot be reached yet. */
export const logOut = async (): Promise<void> => {
  noteLeaving(true);
  try {
    await tellLogout();
  } finally {
    others?.postMessage(`keluar ${app}`);
    forget(false);
  }
};

/** Updates the person after a change of name, phone or the e-mail's proof. */
export const notePerson = (changed: Partial<Person>): void => {
  const now = session.peek();
  if (now.kind === 'in') session.value = { ...now, ...changed };
};
