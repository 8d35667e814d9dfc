import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { demoPassword } from '../src/modules/demo/demo.ts';
import { nthBooking } from './bookings.ts';
import { patientCount, secret } from './clinic.ts';
import { makeLean } from './contenders/lean.ts';
import {
  type PocketBase,
  pocketBaseBooking,
  pocketBaseShot,
  startPocketBase,
} from './contenders/pocketbase.ts';
import { copyDataset, startJanji, tomorrow } from './dataset.ts';
import type { Load, Shot } from './load.ts';
import { root, type Served, serveScript } from './processes.ts';

export type Contender =
  | 'janji'
  | 'floor'
  | 'lean-floor'
  | 'fastify'
  | 'better-auth'
  | 'better-auth-1.4'
  | 'pocketbase'
  | 'argon2';

/** A measured figure: its service, its number of connections, and the ratios that it must reach. */
export interface Figure {
  name: string;
  connections: number;
  contenders: readonly Contender[];
  targets: Partial<Record<Contender, number>>;
}

export const figures: readonly Figure[] = [
  {
    name: 'profile',
    connections: 32,
    contenders: ['janji', 'floor', 'lean-floor', 'fastify', 'better-auth', 'pocketbase'],
    targets: { floor: 0.85, 'lean-floor': 0.8, fastify: 1.4, 'better-auth': 20, pocketbase: 5 },
  },
  {
    name: 'history',
    connections: 32,
    contenders: ['janji', 'floor', 'lean-floor', 'fastify', 'pocketbase'],
    targets: { floor: 1, 'lean-floor': 0.95, fastify: 1.6, pocketbase: 3.5 },
  },
  // The desk's request: fifty bookings of a day with all fields.
  { name: 'list', connections: 8, contenders: ['janji'], targets: {} },
  { name: 'doctors', connections: 32, contenders: ['janji'], targets: {} },
  {
    name: 'bookings',
    connections: 64,
    contenders: ['janji', 'floor', 'lean-floor', 'fastify', 'pocketbase'],
    targets: { floor: 2.3, 'lean-floor': 1.2, fastify: 2.5, pocketbase: 1.3 },
  },
  {
    name: 'login',
    connections: 8,
    contenders: ['janji', 'argon2', 'fastify', 'better-auth', 'better-auth-1.4', 'pocketbase'],
    targets: { argon2: 0.85, fastify: 1, 'better-auth': 15, 'better-auth-1.4': 15, pocketbase: 4 },
  },
];

const json = { 'content-type': 'application/json' };
const account = { email: 'pasien@klinik.example', password: demoPassword };

const postAccount = ({ url }: Served, path: string, body: object) =>
  fetch(url + path, { method: 'POST', headers: { ...json, origin: url }, body: JSON.stringify(body) });

const isBetterAuth = (name: Contender): boolean => name.startsWith('better-auth');

/** better-auth keeps its own accounts: it gets the one that the others have from the data set. */
const signUp = async (served: Served): Promise<Served> => {
  const { ok, status } = await postAccount(served, '/api/auth/sign-up/email', {
    ...account,
    name: 'Putri Pasien',
  });
  if (!ok) throw new Error(`better-auth answers ${status} to the registration`);
  return served;
};

/** The cookie of a session with better-auth. */
const authCookie = async (served: Served): Promise<string> => {
  const response = await postAccount(served, '/api/auth/sign-in/email', account);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
};

/** Starts the contenders that serve HTTP, each on its own copy of the data. */
export const startContenders = async (base: string, folder: string, wanted: ReadonlySet<Contender>) => {
  const served = new Map<Contender, Served & { database: string }>();
  const start = async (name: Contender, begin: (database: string) => Promise<Served>) => {
    if (!wanted.has(name)) return;
    const keepsOwnData = isBetterAuth(name) || name === 'pocketbase';
    const database = keepsOwnData ? join(folder, `${name}.db`) : copyDataset(base, folder, name);
    served.set(name, { ...(await begin(database)), database });
  };
  const script = (name: string) => (database: string) =>
    serveScript(`bench/contenders/${name}.ts`, { DATABASE: database, JWT_SECRET: secret });
  await start('janji', startJanji);
  await start('floor', script('floor'));
  await start('lean-floor', (database) => {
    makeLean(database);
    return script('floor')(database);
  });
  await start('fastify', script('fastify'));
  // Another project's program, which is measured if it is installed.
  if (process.env.POCKETBASE !== undefined)
    await start('pocketbase', (database) => startPocketBase(database, account));
  for (const name of ['better-auth', 'better-auth-1.4'] as const)
    await start(name, async (database) => signUp(await script(name)(database)));
  return served;
};

/** Makes the shots of a figure at a contender; bookings go on counting from round to round. */
export const shotsFor = (tokens: readonly string[]) => {
  const nextBooking = new Map<Contender, number>();
  const bearer = (at: number) => ({ authorization: `Bearer ${tokens[at]}` });
  return async (figure: string, contender: Contender, served: Served): Promise<Load['shot']> => {
    const isPeer = isBetterAuth(contender);
    const pocketBase = contender === 'pocketbase' ? (served as PocketBase) : null;
    const shot = pocketBase === null ? null : pocketBaseShot(pocketBase, account, figure);
    if (shot !== null) return shot;
    if (figure === 'login')
      return {
        method: 'POST',
        path: isPeer ? '/api/auth/sign-in/email' : '/v1/auth/login',
        headers: { ...json, ...(isPeer && { origin: served.url }) },
        body: JSON.stringify(account),
      };
    if (figure === 'history') return { path: '/v1/bookings/history', headers: bearer(0) };
    if (figure === 'list') return { path: `/v1/bookings?date=${tomorrow()}`, headers: bearer(patientCount) };
    if (figure === 'doctors') return { path: '/v1/doctors' };
    if (figure === 'profile' && isPeer)
      return { path: '/api/auth/get-session', headers: { cookie: await authCookie(served) } };
    if (figure === 'profile') return { path: '/v1/auth/profile', headers: bearer(0) };
    return (): Shot => {
      const n = nextBooking.get(contender) ?? 0;
      nextBooking.set(contender, n + 1);
      if (n >= patientCount * 20) throw new Error('There are no more slots to book: ask for fewer rounds.');
      if (pocketBase !== null) return pocketBaseBooking(pocketBase, n, nthBooking(n));
      return {
        method: 'POST',
        path: '/v1/bookings',
        headers: { ...json, ...bearer(n % patientCount) },
        body: nthBooking(n),
      };
    };
  };
};

/** The answer of a service to a request, without the parts that differ between two equal answers. */
export const answerTo = async ({ url }: Served, shot: Shot): Promise<unknown> => {
  const response = await fetch(url + shot.path, {
    method: shot.method ?? 'GET',
    headers: shot.headers ?? {},
    ...(shot.body !== undefined && { body: shot.body }),
  });
  const answer = (await response.json()) as { data?: { id?: string } } | null;
  if (!response.ok || answer === null) throw new Error(`${url}${shot.path} answers ${response.status}`);
  return answer;
};

/** Verifies a second with nothing around them. */
export const bareArgon2 = (seconds: number): number => {
  const { stdout, status } = spawnSync(
    process.execPath,
    [join(root, 'bench/contenders/argon2.ts'), String(seconds)],
    { encoding: 'utf8', env: { ...process.env, UV_THREADPOOL_SIZE: String(availableParallelism()) } },
  );
  if (status !== 0) throw new Error('The bare argon2 run failed.');
  return Number(stdout);
};
