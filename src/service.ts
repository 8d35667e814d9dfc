import type { Hono } from 'hono';
import { createApp } from './app.ts';
import { type Clinic, toClinicIdentity } from './core/clinic/row.ts';
import { createClinicTime } from './core/clinic/time.ts';
import { clinicKeys, type ServerSecrets } from './core/crypto/clinic-keys.ts';
import { createSecretBox } from './core/crypto/sealing.ts';
import { createTokenKeys } from './core/crypto/token-keys.ts';
import { newId } from './core/db/ids.ts';
import type { Deps } from './core/deps.ts';
import type { AppEnv } from './core/http/context.ts';
import type { Serve } from './core/http/observed.ts';

/** The service of one clinic: its app, and what the jobs and the deliverer work with. */
export interface Service {
  deps: Deps;
  app: Hono<AppEnv>;
}

/** One clinic's database, as its runtime opened it. */
interface Database {
  db: Deps['db'];
  assertUsable?: Deps['assertDatabaseUsable'];
  emptyLog?: Deps['emptyLog'];
}

type MadeHere =
  | 'db'
  | 'assertDatabaseUsable'
  | 'emptyLog'
  | 'newId'
  | 'tokenKeys'
  | 'clinicTime'
  | 'secretBox'
  | 'keyUse'
  | 'rests';

/** The dependencies that a runtime provides, for any clinic. */
export interface Shared extends Omit<Deps, MadeHere>, Pick<ServerSecrets, 'secret' | 'dataKey'> {
  /** Routes that only this runtime has. */
  mountOwn?: (serve: Serve) => void;
}

/** Puts a clinic's service together, on both runtimes alike. */
export const assemble = async (
  clinic: Omit<Clinic, 'hasAdmin'>,
  { db, assertUsable, emptyLog }: Database,
  { secret, dataKey, mountOwn, ...shared }: Shared,
): Promise<Service> => {
  const { config } = shared;
  const keys = await clinicKeys(toClinicIdentity(clinic, shared.clock()), {
    secret,
    previousSecret: config.JWT_SECRET_PREVIOUS,
    dataKey,
    previousDataKey: config.DATA_KEY_PREVIOUS,
  });
  const deps: Deps = {
    ...shared,
    db,
    ...(assertUsable !== undefined && { assertDatabaseUsable: assertUsable }),
    ...(emptyLog !== undefined && { emptyLog }),
    newId,
    tokenKeys: await createTokenKeys(keys),
    clinicTime: createClinicTime(config.CLINIC_TIME_ZONE),
    secretBox: await createSecretBox(keys),
    keyUse: new Map(),
    rests: new Map(),
  };
  return { deps, app: createApp(deps, mountOwn) };
};
