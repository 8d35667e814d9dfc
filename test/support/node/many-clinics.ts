import { EventEmitter } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ensureClinic } from '../../../src/core/clinic/row.ts';
import type { Logger } from '../../../src/core/log.ts';
import { mountDeployment } from '../../../src/deployment.ts';
import { insertClinic } from '../../../src/modules/clinics/queries.ts';
import { demoIds, demoPassword, seedDemo } from '../../../src/modules/demo/demo.ts';
import { openDirectory } from '../../../src/runtime/node/clinics/directory-file.ts';
import { createManyClinics } from '../../../src/runtime/node/clinics/many-clinics.ts';
import { runDueOnce } from '../../../src/runtime/node/clinics/timers.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { companions } from '../../../src/runtime/node/database/database-file.ts';
import { parseAllSettings } from '../../../src/runtime/node/settings.ts';
import { assemble, openSandbox } from '../../../src/service.ts';
import { rememberingHasher } from '../hasher.ts';

let demoFile: Promise<string> | undefined;

/** A file with the demo clinic, made once a process. */
const makeDemo = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-demo-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'demo.db');
  const { db, emptyLog, close } = await openDatabase(`file:${path}`);
  await ensureClinic(db, 'Asia/Jakarta', 'demo');
  await seedDemo(db, rememberingHasher(), Date.now());
  await emptyLog?.('now');
  await close();
  return path;
};

/** The path of that file. */
export const demoDatabase = (): Promise<string> => {
  demoFile ??= makeDemo();
  return demoFile;
};

export interface Told {
  message: string;
  fields: Record<string, unknown>;
}

interface Given {
  method?: string;
  token?: string;
  body?: object;
  /** A body that is sent as it is. */
  raw?: BodyInit;
  headers?: Record<string, string>;
  /** Whether its client has gone by the time of the answer. */
  isGone?: boolean;
}

/** A deployment of demo clinics, all copies of one file, each under a host of its id. */
export const openManyClinics = async (
  ids: readonly string[],
  { settings = {}, now = Date.now() }: { settings?: Record<string, string>; now?: number } = {},
) => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-clinics-'));
  mkdirSync(folder, { recursive: true });
  const demo = await demoDatabase();
  const path = (id: string) => join(folder, `${id}.db`);
  const host = (id: string) => `${id}.janji.example`;
  const { db, close } = await openDirectory(folder, { make: true });
  for (const id of ids) {
    copyFileSync(demo, path(id));
    await insertClinic(db, { id, name: id, timeZone: 'Asia/Jakarta', hosts: [host(id)] }, now);
  }
  await close();
  const time = { now };
  const told: Told[] = [];
  const tell = (message: string, fields: Record<string, unknown> = {}) => void told.push({ message, fields });
  const log: Logger = { debug: tell, info: tell, warn: tell, error: tell };
  const start = () =>
    createManyClinics(
      parseAllSettings({
        CLINICS: 'files',
        CLINICS_FOLDER: folder,
        RATE_LIMIT: 'off',
        NODE_ENV: 'test',
        ...settings,
      }),
      {
        assemble,
        openSandbox,
        mountDeployment,
        log,
        clock: () => time.now,
        requests: { running: () => 0 },
        threadCount: 2,
      },
    );
  let many = await start();
  onTestFinished(async () => {
    await many.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const send = async (
    id: string,
    target: string,
    { method, token, body, raw, headers, isGone = false }: Given = {},
  ) => {
    const outgoing = Object.assign(new EventEmitter(), { closed: isGone });
    const incoming = { headers: {}, socket: { remoteAddress: '127.0.0.1' } };
    const answer = await many.fetch(
      new Request(`http://${host(id)}${target}`, {
        method: method ?? (body === undefined && raw === undefined ? 'GET' : 'POST'),
        headers: {
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        ...(raw !== undefined && { body: raw }),
      }),
      { incoming, outgoing },
    );
    return { answer, end: () => void outgoing.emit('close') };
  };
  const ask = async (...given: Parameters<typeof send>) => {
    const { answer, end } = await send(...given);
    const body = await answer.json();
    end();
    return { status: answer.status, body };
  };
  return {
    folder,
    time,
    told,
    path,
    host,
    send,
    ask,
    many: () => many,
    /** Ends the process's part and begins anew, as a restart does. */
    restart: async (meanwhile: () => void = () => {}) => {
      await many.close();
      meanwhile();
      many = await start();
    },
    /** The same as JSON with headers, for one clinic, by paths alone. */
    askRaw:
      (id: string) =>
      async (target: string, given: Parameters<typeof send>[2] = {}) => {
        const { answer, end } = await send(id, target, given);
        const text = await answer.text();
        end();
        const isJson = answer.headers.get('Content-Type')?.includes('json') && text !== '';
        return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text };
      },
    /** Puts a copy of one clinic's database in the place of another's. */
    copyAndRestart: async (from: string, to: string) => {
      await many.close();
      for (const end of companions) rmSync(path(to) + end, { force: true });
      copyFileSync(path(from), path(to));
      many = await start();
    },
    login: async (id: string, email = 'pasien@klinik.example') => {
      const { body } = await ask(id, '/v1/auth/login', { body: { email, password: demoPassword } });
      return body.data.access_token as string;
    },
    /** Books the first free slot of the first doctor. */
    book: async (id: string, token: string) => {
      const [doctor] = demoIds.doctors;
      const [session] = demoIds.sessions;
      const slots = await ask(id, `/v1/doctors/${doctor}/slots`);
      const [{ schedule_date, schedule_time }] = slots.body.data;
      const body = { doctor_id: doctor, session_id: session, schedule_date, schedule_time };
      return ask(id, '/v1/bookings', { token, body });
    },
    runDue: () =>
      runDueOnce(
        { directory: many.directory, clinics: many.clinics, clock: () => time.now, log },
        new AbortController().signal,
      ),
  };
};
