import { readdirSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { format } from 'node:util';

// Runs the command line again and again in one process that has its modules loaded. A command has ended when nothing
// is left for the process to do, as for a process of its own.

export interface Order {
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
}

export interface Ended {
  status: number;
  out: string;
  errors: string;
}

let out = '';
let errors = '';
process.stdout.write = (chunk: unknown) => {
  out += String(chunk);
  return true;
};
process.stderr.write = (chunk: unknown) => {
  errors += String(chunk);
  return true;
};

const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const pathOf = (descriptor: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    // The one that read the list is closed by now.
    return '';
  }
};

/** Whether a file of the tests may still be open: a look takes a hundredth of a collection, and only Linux has it. */
const mayHoldFiles = (): boolean =>
  process.platform !== 'linux' ||
  readdirSync('/proc/self/fd')
    .map(pathOf)
    .some((path) => path.startsWith(tmpdir()) && !path.endsWith(' (deleted)'));

/** The driver keeps a closed connection, and its locks, until its statements are collected. */
const letGoOfFiles = async (): Promise<void> => {
  for (let turn = 0; turn < 2 && mayHoldFiles(); turn++) {
    globalThis.gc?.();
    await settle();
  }
};

process.once('disconnect', () => process.exit());

let runs = 0;

process.on('message', async ({ args, cwd, env }: Order) => {
  process.chdir(cwd);
  process.env = { ...env } as NodeJS.ProcessEnv;
  process.argv.splice(2, Infinity, ...args);
  process.exitCode = undefined;
  runs += 1;
  try {
    await import(`../../../src/cli.ts?${runs}`);
  } catch (error) {
    process.exitCode = 1;
    errors += format(error);
  }
  // The rest of the time is the command's own.
  process.channel?.unref();
});

let reportedRuns = 0;

process.on('beforeExit', async () => {
  if (reportedRuns === runs) return;
  reportedRuns = runs;
  process.channel?.ref();
  await letGoOfFiles();
  const ended: Ended = { status: Number(process.exitCode ?? 0), out, errors };
  [out, errors] = ['', ''];
  process.send?.(ended);
});
