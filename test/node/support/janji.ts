import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const cli = resolve('src/cli.ts');

/** The command line with a folder and a database of its own. */
export const commandLine = () => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-commands-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const url = `file:${join(folder, 'janji.db')}`;
  const janji = (args: string[], env: Record<string, string> = {}, input = '') => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], {
      encoding: 'utf8',
      input,
      cwd: folder,
      env: {
        ...process.env,
        PATH: `${resolve('node_modules/.bin')}:${process.env.PATH}`,
        DATABASE_URL: url,
        CLOUDFLARE_CF_FETCH_ENABLED: 'false',
        WRANGLER_SEND_METRICS: 'false',
        CI: '1',
        ...env,
      },
      timeout: 60_000,
    });
    return { status, stdout, stderr };
  };
  return { folder, url, janji };
};
