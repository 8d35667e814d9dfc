import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { newFolder } from '../../support/node/command-line.ts';

const module = (name: string) =>
  new URL(`../../../src/runtime/node/database/${name}.ts`, import.meta.url).href;

/** Makes a secret file in a temporary folder, and waits to be killed while it exists. */
const script = `
  import { writeFileSync } from 'node:fs';
  import { join } from 'node:path';
  const { withFolder } = await import('${module('cleared')}');
  const { withPartial } = await import('${module('database-file')}');
  await withPartial(join(process.env.TMPDIR, 'copy.db'), 'partial', (partial) =>
    withFolder(async (folder) => {
      writeFileSync(join(folder, 'filled.db'), "patients' data");
      process.stdout.write('in the midst');
      await new Promise((done) => setTimeout(done, 60_000));
    }),
  );`;

it.each(['SIGINT', 'SIGTERM'] as const)(
  'a command ended by %s leaves no data behind, however it was nested',
  async (signal) => {
    const folder = newFolder();
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, TMPDIR: folder },
    });
    await once(child.stdout, 'data');
    expect(readdirSync(folder)).toHaveLength(2);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([130, null]);
    expect(readdirSync(folder)).toEqual([]);
  },
);
