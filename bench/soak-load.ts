import { setTimeout as sleep } from 'node:timers/promises';
import { demoIds, demoPassword } from '../src/modules/demo/demo.ts';

const [consultation, vaccination] = demoIds.sessions;
const [sari, budi, maya] = demoIds.doctors;
const dayMs = 86_400_000;
const maxLive = 6;

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T;

const dateIn = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const anyDate = (): string => dateIn(2 + Math.floor(Math.random() * 600));

const halfHours = (from: number, to: number): string[] =>
  Array.from({ length: (to - from) * 2 }, (_, at) => {
    const hour = String(from + Math.floor(at / 2)).padStart(2, '0');
    return `${hour}:${at % 2 === 0 ? '00' : '30'}:00`;
  });

const offers = [
  { doctor_id: sari, session_id: consultation, times: halfHours(8, 16) },
  { doctor_id: maya, session_id: consultation, times: halfHours(8, 16) },
  { doctor_id: budi, session_id: vaccination, times: halfHours(12, 16) },
];

const anySlot = () => {
  const { times, ...offer } = pick(offers);
  return { ...offer, schedule_date: anyDate(), schedule_time: pick(times) };
};

/** Refusals that a fair race for a slot brings. */
const raceLost = new Set(['slot_full', 'patient_busy']);

export interface Tally {
  answers: number;
  refused: number;
  errors: string[];
}

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON came.
  body: any;
}

/** Sends requests and notes whatever was answered otherwise than it had to be. */
export const makeCaller = (base: string, tally: Tally) => {
  const call = async (method: string, path: string, token: string | null, body?: object): Promise<Answer> => {
    const headers: Record<string, string> = { 'Content-Type': 'application/json' };
    if (token !== null) headers.Authorization = `Bearer ${token}`;
    if (method === 'POST' && path.startsWith('/v1/bookings'))
      headers['Idempotency-Key'] = crypto.randomUUID();
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    try {
      const response = await fetch(base + path, { ...init, signal: AbortSignal.timeout(30_000) });
      return { status: response.status, body: await response.json() };
    } catch (error) {
      return { status: 0, body: { code: error instanceof Error ? error.name : 'unknown' } };
    }
  };
  return async (
    wanted: number,
    method: string,
    path: string,
    token: string | null,
    body?: object,
  ): Promise<Answer | null> => {
    const answer = await call(method, path, token, body);
    tally.answers += 1;
    if (answer.status === wanted) return answer;
    if (answer.status === 409 && raceLost.has(answer.body.code)) tally.refused += 1;
    else
      tally.errors.push(
        `${method} ${path.replaceAll(/[0-9a-f-]{36}/g, '{id}')}: ${answer.status} ${answer.body.code}`,
      );
    return null;
  };
};

export type Caller = ReturnType<typeof makeCaller>;

const logIn = async (call: Caller, email: string): Promise<string> => {
  const answer = await call(200, 'POST', '/v1/auth/login', null, { email, password: demoPassword });
  return answer?.body.data.access_token ?? '';
};

/** One patient who does one thing after the other, as a phone does. */
export const makePatient = async (call: Caller, at: number, staffToken: string) => {
  const email = `beban${at}@klinik.example`;
  await call(201, 'POST', '/v1/auth/register', null, {
    name: `Pasien Beban ${at}`,
    phone_number: '81234567890',
    phone_country_code: '62',
    email,
    password: demoPassword,
    password_confirmation: demoPassword,
  });
  let token = await logIn(call, email);
  const live: string[] = [];

  const cancel = async () => {
    const id = live.shift();
    if (id !== undefined) await call(200, 'POST', `/v1/bookings/${id}/cancel`, token);
  };
  const book = async () => {
    if (live.length >= maxLive) return cancel();
    const made = await call(201, 'POST', '/v1/bookings', token, { ...anySlot(), notes: 'Kontrol rutin' });
    if (made !== null) live.push(made.body.data.id);
  };
  const reschedule = async () => {
    if (live.length === 0) return book();
    await call(200, 'POST', `/v1/bookings/${pick(live)}/reschedule`, token, anySlot());
  };
  const slots = () => {
    const from = 2 + Math.floor(Math.random() * 500);
    const { doctor_id } = pick(offers);
    return call(
      200,
      'GET',
      `/v1/doctors/${doctor_id}/slots?from=${dateIn(from)}&to=${dateIn(from + 6)}`,
      null,
    );
  };
  const queue = () => {
    const { doctor_id, session_id } = pick(offers);
    return call(
      200,
      'GET',
      `/v1/doctors/${doctor_id}/queue?date=${anyDate()}&session_id=${session_id}`,
      null,
    );
  };

  const logInAgain = async () => {
    token = await logIn(call, email);
  };

  const mix: readonly [share: number, act: () => Promise<unknown>][] = [
    [2, logInAgain],
    [22, slots],
    [18, book],
    [6, cancel],
    [8, reschedule],
    [16, () => call(200, 'GET', '/v1/bookings/history?limit=20', token)],
    [16, () => call(200, 'GET', '/v1/auth/profile', token)],
    [4, () => call(200, 'GET', `/v1/bookings?date=${anyDate()}`, staffToken)],
    [8, queue],
  ];
  const total = mix.reduce((sum, [share]) => sum + share, 0);
  return async (): Promise<void> => {
    let dice = Math.random() * total;
    for (const [share, act] of mix) {
      dice -= share;
      if (dice < 0) return void (await act());
    }
  };
};

/** Hands out turns: as many a second as wished, none while it is closed. */
export const makeGate = () => {
  let intervalMs = 0;
  let next = 0;
  let isOpen = true;
  let inside = 0;
  return {
    setRate: (perSecond: number) => {
      intervalMs = 1000 / perSecond;
    },
    turn: async <T>(work: () => Promise<T>): Promise<T> => {
      const now = performance.now();
      // A late client does not catch up: that would be a burst.
      next = Math.max(next + intervalMs, now - 100);
      if (next > now) await sleep(next - now);
      while (!isOpen) await sleep(5);
      inside += 1;
      try {
        return await work();
      } finally {
        inside -= 1;
      }
    },
    /** Does something while no request is on its way. */
    whileClosed: async <T>(work: () => Promise<T>): Promise<T> => {
      isOpen = false;
      while (inside > 0) await sleep(5);
      try {
        return await work();
      } finally {
        isOpen = true;
      }
    },
  };
};
