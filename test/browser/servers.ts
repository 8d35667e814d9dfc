import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { freePort } from '../support/node/free-port.ts';

export interface Served {
  name: string;
  url: string;
  stop: () => Promise<void>;
}

const answers = async (url: string): Promise<boolean> => {
  try {
    return (await fetch(`${url}/ready`)).ok;
  } catch {
    return false;
  }
};

const until = async (holds: () => Promise<boolean>, withinMs: number, what: string): Promise<void> => {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`${what} did not answer within ${withinMs / 1000} s.`);
    await new Promise((wake) => setTimeout(wake, 200));
  }
};

class EndedEarly extends Error {}

/** A process's last output to stderr: it may say why the process ended. */
const lastWords = (stream: Readable): (() => string) => {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => {
    text = (text + more).slice(-2_000);
  });
  return () => text;
};

const startOnce = async (
  script: 'start' | 'dev',
  settings: Readonly<Record<string, string>>,
): Promise<Served> => {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'janji-browser-'));
  const given = { PASSKEY_ORIGINS: `http://localhost:${port}`, ...settings };
  const variables = Object.entries(given).flatMap(([name, value]) => ['--var', `${name}:${value}`]);
  const options =
    script === 'dev' ? ['--', '--port', String(port), '--persist-to', folder, ...variables] : [];
  const env = {
    ...process.env,
    ...given,
    PORT: String(port),
    DATABASE_URL: `file:${join(folder, 'janji.db')}`,
  };
  const child = spawn('npm', ['run', script, ...options], {
    env,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const why = lastWords(child.stderr);
  let isOver = false;
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      isOver = true;
      resolve();
    });
  });
  const stop = async () => {
    if (!isOver) process.kill(-(child.pid as number), 'SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  const url = `http://127.0.0.1:${port}`;
  const isUp = () => {
    if (isOver) throw new EndedEarly(`npm run ${script} ended on port ${port}.\n${why()}`);
    return answers(url);
  };
  try {
    await until(isUp, 120_000, `npm run ${script}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { name: `npm run ${script}`, url, stop };
};

/**
 * Starts the service as a newcomer would, by an npm script, on a port and a database of its own. A port that was free may
 * be taken before the service listens on it: then it is started once more.
 */
export const startByScript = async (
  script: 'start' | 'dev',
  settings: Readonly<Record<string, string>> = {},
): Promise<Served> => {
  try {
    return await startOnce(script, settings);
  } catch (error) {
    if (!(error instanceof EndedEarly)) throw error;
    process.stdout.write(`again ${error.message}\n`);
    return startOnce(script, settings);
  }
};
