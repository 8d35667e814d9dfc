import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { onTestFinished } from 'vitest';
import type { Logger } from '../../../src/core/log.ts';
import { mountDeployment } from '../../../src/deployment.ts';
import { insertClinic } from '../../../src/modules/clinics/queries.ts';
import { demoIds, demoPassword } from '../../../src/modules/demo/demo.ts';
import { openDirectory } from '../../../src/runtime/node/clinics/directory-file.ts';
import { createManyClinics } from '../../../src/runtime/node/clinics/many-clinics.ts';
import { runDueOnce } from '../../../src/runtime/node/clinics/timers.ts';
import { httpServer, listen } from '../../../src/runtime/node/serve/server.ts';
import { trackRequests } from '../../../src/runtime/node/serve/tracked.ts';
import { parseAllSettings } from '../../../src/runtime/node/settings.ts';
import { assemble, openSandbox } from '../../../src/service.ts';
import { freePort } from './free-port.ts';
import { demoDatabase, type Told } from './many-clinics.ts';

export interface Asked {
  method?: string;
  token?: string;
  body?: object;
  headers?: Record<string, string>;
}

export const machineSecrets = {
  JWT_SECRET: 'a-secret-of-several-machines-0123456789abcdef',
  DATA_KEY: Buffer.alloc(32, 'their data key').toString('base64url'),
};

/** A request over the network, and its answer to the byte. */
const send = (port: number, host: string, target: string, { method, token, body, headers }: Asked = {}) =>
  new Promise<{ status: number; rawHeaders: string[]; bytes: Buffer }>((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const asked = request({
      host: '127.0.0.1',
      port,
      path: target,
      method: method ?? (text === undefined ? 'GET' : 'POST'),
      headers: {
        Host: host,
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(text !== undefined && {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(text),
        }),
        ...headers,
      },
    });
    asked.once('error', reject);
    asked.once('response', (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          rawHeaders: answer.rawHeaders,
          bytes: Buffer.concat(chunks),
        }),
      );
    });
    asked.end(text);
  });

/**
 * Machines that serve demo clinics of one folder, by a directory that they share: a file, unless another is named. The
 * directory's time is set by the test, and nothing is renewed unless the test does.
 */
export const openMachines = async (ids: readonly string[], { directory }: { directory?: string } = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-machines-'));
  const shared = directory ?? `file:${join(folder, 'shared.db')}`;
  const path = (id: string) => join(folder, `${id}.db`);
  const host = (id: string) => `${id}.janji.example`;
  const time = { now: Date.now(), directory: 1_000_000 };
  const { db, close } = await openDirectory(folder, { make: true, shared: { url: shared } });
  for (const id of ids) {
    copyFileSync(await demoDatabase(), path(id));
    await insertClinic(db, { id, name: id, timeZone: 'Asia/Jakarta', hosts: [host(id)] }, time.now);
  }
  await close();
  const ending: (() => Promise<void>)[] = [];
  onTestFinished(async () => {
    for (const end of ending) await end();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = async (settings: Record<string, string> = {}) => {
    const port = await freePort();
    const told: Told[] = [];
    const tell = (message: string, fields: Record<string, unknown> = {}) =>
      void told.push({ message, fields });
    const log: Logger = { debug: tell, info: tell, warn: tell, error: tell };
    const requests = trackRequests();
    const all = {
      CLINICS: 'files',
      CLINICS_FOLDER: folder,
      CLINICS_DIRECTORY: shared,
      CLINICS_ADDRESS: `http://127.0.0.1:${port}`,
      // Longer than a test takes: what ends it is the directory's time alone.
      CLINICS_LEASE: '300',
      RATE_LIMIT: 'off',
      NODE_ENV: 'test',
      ...machineSecrets,
      ...settings,
    };
    const many = await createManyClinics(parseAllSettings(all), {
      assemble,
      openSandbox,
      mountDeployment,
      log,
      clock: () => time.now,
      requests,
      threadCount: 1,
      leaseTime: () => sql`${time.directory}`,
    });
    const { machines } = many;
    if (machines === null) throw new Error('it is alone');
    await machines.leases.enter();
    const server = httpServer(requests.tracking(many.fetch), '127.0.0.1');
    await listen(server, port, '127.0.0.1');
    let isEnded = false;
    const hangUp = async (): Promise<void> => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    /** Ends it as a signal does. */
    const end = async (): Promise<void> => {
      if (isEnded) return;
      isEnded = true;
      await hangUp();
      await many.close();
    };
    ending.push(end);
    const ask = async (id: string, target: string, given: Asked = {}) => {
      const { status, rawHeaders, bytes } = await send(port, host(id), target, given);
      const headers: Record<string, string> = {};
      for (let at = 0; at < rawHeaders.length; at += 2)
        headers[(rawHeaders[at] ?? '').toLowerCase()] = rawHeaders[at + 1] ?? '';
      const isJson =
        headers['content-type']?.startsWith('application/json') &&
        headers['content-encoding'] === undefined &&
        bytes.length > 0;
      return { status, headers, rawHeaders, bytes, body: isJson ? JSON.parse(bytes.toString()) : null };
    };
    return {
      many,
      machines,
      port,
      told,
      ask,
      end,
      hangUp,
      login: async (id: string, email = 'pasien@klinik.example'): Promise<string> => {
        const { body } = await ask(id, '/v1/auth/login', { body: { email, password: demoPassword } });
        return body.data.access_token;
      },
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
          {
            directory: many.directory,
            clinics: many.clinics,
            clock: () => time.now,
            log,
            notElsewhere: machines.notElsewhere,
          },
          new AbortController().signal,
        ),
    };
  };
  return { folder, shared, path, host, time, start };
};

export type RunningMachine = Awaited<ReturnType<Awaited<ReturnType<typeof openMachines>>['start']>>;
