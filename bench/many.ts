// A folder of clinics that are copies of one, for bench/clinics.ts.

import { EventEmitter } from 'node:events';
import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { ensureClinic } from '../src/core/clinic/row.ts';
import type { Logger } from '../src/core/log.ts';
import { mountDeployment } from '../src/deployment.ts';
import { createHasher } from '../src/modules/auth/passwords/hasher.ts';
import { insertAccount } from '../src/modules/auth/queries.ts';
import { issueAccessToken } from '../src/modules/auth/tokens.ts';
import { insertClinic } from '../src/modules/clinics/queries.ts';
import { demoIds, seedDemo } from '../src/modules/demo/demo.ts';
import { openDirectory } from '../src/runtime/node/clinics/directory-file.ts';
import { createManyClinics, type ManyClinics } from '../src/runtime/node/clinics/many-clinics.ts';
import { openDatabase } from '../src/runtime/node/database/database.ts';
import { parseAllSettings } from '../src/runtime/node/settings.ts';
import { assemble, openSandbox } from '../src/service.ts';
import { idOf, secret } from './clinic.ts';
import { legacyTokenKeys } from './tokens.ts';

/** Patients of each clinic: so many callers may book at one of them. */
export const patients = 64;
const userId = (at: number) => idOf(3, at);
const loginId = (at: number) => idOf(5, at);
const dataKey = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8';

export const idFor = (at: number): string => `k${at}`;
export const hostFor = (at: number): string => `k${at}.janji.example`;

/** A file with the demo clinic and its patients, who are logged in. */
export const makeTemplate = async (path: string): Promise<void> => {
  const { db, emptyLog, close } = await openDatabase(`file:${path}`);
  await ensureClinic(db, 'Asia/Jakarta', 'template');
  await seedDemo(db, createHasher(), Date.now());
  const now = Date.now();
  const passwordHash = 'x';
  for (let at = 0; at < patients; at++) {
    const account = {
      id: userId(at),
      name: `Pasien ${at}`,
      email: `pasien-${at}@janji.example`,
      phoneNumber: '81200000000',
      phoneCountryCode: '62',
      deviceId: '',
      role: 'patient' as const,
      doctorId: null,
      emailProvedAt: now,
      passwordHash,
      createdAt: now,
      updatedAt: now,
    };
    await db.batch(insertAccount(db, account) as never);
  }
  await emptyLog?.('now');
  await close();
  const file = new Database(path);
  const insert = file.prepare(
    `insert into device_logins (id, user_id, device_id, user_agent, created_at, last_seen_at, expires_at)
      values (?, ?, '', '', ?, ?, ?)`,
  );
  for (let at = 0; at < patients; at++) insert.run(loginId(at), userId(at), now, now, now + 86_400_000);
  file.exec('update clinic set legacy_keys_until = 9007199254740991, demo_since = null');
  file.exec('pragma wal_checkpoint(truncate)');
  file.close();
};

/** A folder with so many copies of a file, each a clinic of the directory. */
export const makeClinics = async (folder: string, template: string, count: number): Promise<void> => {
  const { db, close } = await openDirectory(folder, { make: true });
  for (let at = 0; at < count; at++) {
    copyFileSync(template, join(folder, `${idFor(at)}.db`));
    await insertClinic(
      db,
      { id: idFor(at), name: idFor(at), timeZone: 'Asia/Jakarta', hosts: [hostFor(at)] },
      Date.now(),
    );
  }
  await close();
};

export const environment = (folder: string, open: number): Record<string, string> => ({
  CLINICS: 'files',
  CLINICS_FOLDER: folder,
  CLINICS_OPEN: String(open),
  JWT_SECRET: secret,
  DATA_KEY: dataKey,
  RATE_LIMIT: 'off',
  MAX_LIVE_BOOKINGS: '0',
  LOG_LEVEL: 'silent',
  NODE_ENV: 'test',
});

const quiet = () => {};
const log: Logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };

export const openMany = (folder: string, open: number): Promise<ManyClinics> =>
  createManyClinics(parseAllSettings(environment(folder, open)), {
    assemble,
    openSandbox,
    mountDeployment,
    log,
    clock: Date.now,
    requests: { running: () => 0 },
  });

export const makePatientTokens = async (): Promise<string[]> => {
  const keys = await legacyTokenKeys();
  return Promise.all(
    Array.from({ length: patients }, (_, at) => {
      const claims = { userId: userId(at), deviceLoginId: loginId(at), role: 'patient' as const };
      return issueAccessToken(keys, claims, Date.now(), 86_400);
    }),
  );
};

/** One request at a clinic, without a network between. */
export const ask = async (many: ManyClinics, at: number, path: string, token?: string, body?: object) => {
  const outgoing = new EventEmitter();
  const incoming = { headers: {}, socket: { remoteAddress: '127.0.0.1' } };
  const answer = await many.fetch(
    new Request(`http://${hostFor(at)}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
    { incoming, outgoing },
  );
  const text = await answer.text();
  outgoing.emit('close');
  return { status: answer.status, text };
};

export interface Slot {
  schedule_date: string;
  schedule_time: string;
}

const [doctor] = demoIds.doctors;
const [session] = demoIds.sessions;

export const listSlots = async (many: ManyClinics, at: number): Promise<Slot[]> => {
  const { text } = await ask(many, at, `/v1/doctors/${doctor}/slots`);
  return JSON.parse(text).data;
};

export const bookingOf = (slot: Slot | undefined) => ({
  doctor_id: doctor,
  session_id: session,
  ...pick(slot),
});

const pick = (slot: Slot | undefined) =>
  slot && { schedule_date: slot.schedule_date, schedule_time: slot.schedule_time };

/** Books a slot and cancels it again; the milliseconds that the booking took, or null if it was refused. */
export const bookAndCancel = async (
  many: ManyClinics,
  at: number,
  slot: Slot | undefined,
  token: string | undefined,
): Promise<number | null> => {
  const began = performance.now();
  const { status, text } = await ask(many, at, '/v1/bookings', token, bookingOf(slot));
  const took = performance.now() - began;
  if (status !== 201) return null;
  await ask(many, at, `/v1/bookings/${JSON.parse(text).data.id}/cancel`, token, {});
  return took;
};

export const removeAll = (folder: string): void => rmSync(folder, { recursive: true, force: true });
