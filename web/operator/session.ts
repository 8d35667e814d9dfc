import { signal } from '@preact/signals';
import { queries } from '../shared/api/resource.ts';
import { Refused, take } from '../shared/api/take.ts';
import { noteClock } from '../shared/clock.ts';
import { language } from '../shared/preferences.ts';
import { clinicZone } from '../shared/time.ts';

interface Operator {
  email: string;
  ends_at: string;
  /** The zone of the deployment, in which the page shows times. */
  time_zone: string;
}

type State =
  | { kind: 'unknown' }
  | { kind: 'failed'; failure: Error }
  | { kind: 'out'; ended: boolean }
  | ({ kind: 'in' } & Operator);

export const session = signal<State>({ kind: 'unknown' });

interface Said<T, M> {
  status: 'success';
  data: T;
  meta: M;
}

/** As the service ends a login without use. */
const idleMs = 30 * 60_000;
let usedAt = Date.now();

const forget = (ended: boolean): void => {
  queries.clear();
  session.value = { kind: 'out', ended };
};

const ask = async <T, M>(method: string, path: string, json?: object) => {
  const answer = await fetch(`/operator/api${path}`, {
    method,
    headers: {
      'Accept-Language': language.peek(),
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  noteClock(answer.headers);
  return answer as Omit<Response, 'json'> & { json: () => Promise<Said<T, M>> };
};

/** Asks the operators' interface; a person who is no longer logged in sees the login again. */
export const call = async <T, M = undefined>(
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  json?: object,
): Promise<{ data: T; meta: M }> => {
  try {
    const said = await take(ask<T, M>(method, path, json));
    usedAt = Date.now();
    return said;
  } catch (error) {
    const isOver = error instanceof Refused && error.code === 'unauthenticated';
    if (isOver) forget(session.peek().kind === 'in');
    throw error;
  }
};

const enter = (operator: Operator): void => {
  clinicZone.value = operator.time_zone;
  session.value = { kind: 'in', ...operator };
};

export const logIn = async (proof: { email: string; password: string; code: string }): Promise<void> =>
  enter((await call<Operator>('POST', '/login', proof)).data);

export const logOut = async (): Promise<void> => {
  try {
    await call('DELETE', '/session');
  } finally {
    forget(false);
  }
};

const readSession = async (): Promise<void> => {
  try {
    enter((await call<Operator>('GET', '/session')).data);
  } catch (error) {
    if (session.peek().kind === 'out') return;
    session.value = { kind: 'failed', failure: error as Error };
  }
};

/** Asks again who is logged in, after the service was not reached. */
export const retrySession = (): void => {
  session.value = { kind: 'unknown' };
  void readSession();
};

/** Whether the page was opened by a clinic that signs up, and not by an operator. */
export const isSignUp = location.pathname.startsWith('/operator/signup');

/** Asks who is logged in; from then on a page that nobody uses shows nothing after half an hour. */
export const startSession = (): void => {
  if (isSignUp) return;
  void readSession();
  setInterval(() => {
    if (session.peek().kind === 'in' && Date.now() - usedAt > idleMs) forget(true);
  }, 15_000);
};
