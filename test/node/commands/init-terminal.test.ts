import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { newFolder } from '../../support/node/command-line.ts';
import { commandArguments } from '../../support/node/entries.ts';

const [url, zone] = ['not yet known): ', '[Asia/Jakarta]: '];

/** Runs `janji init` at a terminal, which `script` opens, and types each answer after its question. */
const atTerminal = async (folder: string, ...typing: [question: string, answer: string][]) => {
  const line = [process.execPath, ...commandArguments, 'init'].map((part) => `'${part}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], { cwd: folder });
  let shown = '';
  let seen = 0;
  child.stdout.on('data', (chunk) => {
    shown += String(chunk);
    const [question, answer] = typing[0] ?? [];
    const at = question === undefined ? -1 : shown.indexOf(question, seen);
    if (at < 0) return;
    seen = at + 1;
    typing.shift();
    child.stdin.write(answer ?? '');
  });
  const [status] = await once(child, 'close');
  return { status, shown };
};

describe.runIf(existsSync('/usr/bin/script'))('janji init at a terminal', () => {
  it('asks for what no option gives, and takes what stands in brackets', async () => {
    const folder = newFolder();
    const { status, shown } = await atTerminal(folder, [url, 'https://janji.klinik.example\r'], [zone, '\r']);
    expect([status, shown]).toEqual([0, expect.stringContaining('janji.env is written.')]);
    const file = join(folder, 'janji.env');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(parseEnv(readFileSync(file, 'utf8'))).toMatchObject({
      PUBLIC_URL: 'https://janji.klinik.example',
      CLINIC_TIME_ZONE: 'Asia/Jakarta',
    });
  });

  it('takes answers that were pasted before their questions', async () => {
    const folder = newFolder();
    const { status } = await atTerminal(folder, [url, 'https://janji.klinik.example\rAsia/Makassar\r']);
    expect([status, parseEnv(readFileSync(join(folder, 'janji.env'), 'utf8'))]).toEqual([
      0,
      expect.objectContaining({
        PUBLIC_URL: 'https://janji.klinik.example',
        CLINIC_TIME_ZONE: 'Asia/Makassar',
      }),
    ]);
  });

  it('asks again where an answer is not acceptable', async () => {
    const folder = newFolder();
    const { status, shown } = await atTerminal(
      folder,
      [url, 'klinik.example\r'],
      [url, '\r'],
      [zone, 'Jakarta\r'],
      [zone, 'Asia/Makassar\r'],
    );
    expect(status).toBe(0);
    expect(shown).toMatch(/PUBLIC_URL is not acceptable[\s\S]*CLINIC_TIME_ZONE is not acceptable/);
    const settings = parseEnv(readFileSync(join(folder, 'janji.env'), 'utf8'));
    expect([settings.PUBLIC_URL, settings.CLINIC_TIME_ZONE]).toEqual([undefined, 'Asia/Makassar']);
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])(
    'leaves no file after %s',
    async (_name, key) => {
      const folder = newFolder();
      const { status, shown } = await atTerminal(folder, [url, '\r'], [zone, key]);
      expect([status, shown, readdirSync(folder)]).toEqual([
        130,
        expect.stringContaining('Nothing was written.'),
        [],
      ]);
    },
    30_000,
  );

  it('asks nothing where there is a file, which stays', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'janji.env'), 'DATA_KEY=mine\n');
    const { status, shown } = await atTerminal(folder);
    expect([status, shown]).toEqual([1, expect.stringMatching(/^janji\.env is there already/)]);
    expect(readFileSync(join(folder, 'janji.env'), 'utf8')).toBe('DATA_KEY=mine\n');
  });
});
