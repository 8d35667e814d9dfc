import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureClinic, toClinicIdentity } from '../../src/core/clinic/row.ts';
import { clinicKeys } from '../../src/core/crypto/clinic-keys.ts';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import type { Deps } from '../../src/core/deps.ts';
import { createHasher } from '../../src/modules/auth/passwords/hasher.ts';
import { seedDemo } from '../../src/modules/demo/demo.ts';
import { connectDatabase } from '../../src/runtime/node/database/database.ts';
import { fileOfD1, makeD1 } from './node/command-line.ts';
import { createPeople } from './people.ts';
import { temporaryFolder } from './servers.ts';
import type { World } from './world.ts';

export const crowdSecret = 'a-secret-of-the-crowd-and-of-nothing-else-0123456789';

/** Fills an empty, migrated file with the demo clinic and patients who are logged in; gives their tokens. */
const fill = async (path: string, count: number): Promise<string[]> => {
  const isNew = !existsSync(path);
  const { db, migrate, close } = await connectDatabase(`file:${path}`);
  if (isNew) await migrate();
  const now = Date.now();
  const identity = toClinicIdentity(await ensureClinic(db, 'Asia/Jakarta'), 0);
  await seedDemo(db, createHasher(), now);
  const tokenKeys = await createTokenKeys(
    await clinicKeys(identity, { secret: crowdSecret, dataKey: crowdSecret }),
  );
  const deps = { db, newId: () => crypto.randomUUID(), tokenKeys } as Deps;
  const people = await createPeople({ deps, db, clock: { now } } as World, count);
  await close();
  return people.map(({ token }) => token);
};

/** Copies a database with its log. */
const copy = (from: string, to: string): void => {
  for (const end of ['', '-wal']) {
    rmSync(to + end, { force: true });
    if (existsSync(from + end)) copyFileSync(from + end, to + end);
  }
};

// Both are filled elsewhere: the driver may hold a closed connection for a while, and a server's file is its own.

/** A folder for `npm start` with a crowd of patients. */
export const crowdForNode = async (count: number) => {
  const [made, folder] = [join(temporaryFolder(), 'made.db'), temporaryFolder()];
  const tokens = await fill(made, count);
  copy(made, join(folder, 'janji.db'));
  return { folder, tokens };
};

/** A folder for `npm run dev` with a crowd of patients. */
export const crowdForWorker = async (count: number) => {
  const [made, folder] = [join(temporaryFolder(), 'made.db'), temporaryFolder()];
  await makeD1(folder);
  const state = join(folder, '.wrangler/state');
  const path = fileOfD1(state);
  copy(path, made);
  const tokens = await fill(made, count);
  copy(made, path);
  rmSync(`${path}-shm`, { force: true });
  return { folder: state, tokens };
};
