import { cpSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { bin, root, runAlone } from './command-line.ts';

let migrated: Promise<string> | undefined;

const migrateD1 = async (): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-d1-'));
  for (const each of ['wrangler.toml', 'drizzle'])
    cpSync(join(root, each), join(folder, each), { recursive: true });
  const migrate = ['d1', 'migrations', 'apply', 'DB', '--local'];
  const { status, errors } = await runAlone(join(bin, 'wrangler'), migrate, { cwd: folder });
  if (status !== 0) throw new Error(errors);
  return folder;
};

afterAll(async () => {
  if (migrated !== undefined) rmSync(await migrated, { recursive: true });
});

/** Makes a folder that of a Worker with a local D1, migrated: by wrangler the first time, then a copy. */
export const makeD1 = async (folder: string): Promise<void> => {
  migrated ??= migrateD1();
  cpSync(await migrated, folder, { recursive: true });
};

/** The file that holds the local D1 of a folder in which wrangler keeps its state. */
export const fileOfD1 = (state: string): string => {
  const [path] = globSync(join(state, 'v3/d1/*/*.sqlite')).filter(
    (file) => !file.endsWith('metadata.sqlite'),
  );
  if (path === undefined) throw new Error(`No local D1 lies in ${state}.`);
  return path;
};
