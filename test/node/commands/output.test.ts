import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commandLine, newFolder } from '../../support/node/command-line.ts';
import { commandArguments } from '../../support/node/entries.ts';

const DATA_KEY = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';

/** Runs a line of a shell in which `janji` is the command line. */
const inShell = (folder: string, line: string) => {
  const janji = [process.execPath, ...commandArguments].map((part) => `'${part}'`).join(' ');
  const script = `janji() { ${janji} "$@"; }; ${line}`;
  const env = {
    ...process.env,
    DATABASE_URL: `file:${join(folder, 'janji.db')}`,
    DATA_KEY,
    JWT_SECRET: '',
    PORT: '0',
  };
  const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd: folder, env, encoding: 'utf8' });
  return { out: stdout, errors: stderr };
};

describe('output', () => {
  it('may have a reader that ends early: the command goes on, and says nothing of it', async () => {
    const folder = newFolder();
    const janji = commandLine(folder);
    expect((await janji('demo')).status).toBe(0);
    const codes = `echo "codes \${PIPESTATUS[*]}"`;
    for (const command of ['status', 'check']) {
      const ends = command === 'check' ? '[01]' : '0';
      const { out, errors } = inShell(folder, `janji ${command} | true; ${codes}`);
      expect([command, out, errors]).toEqual([
        command,
        expect.stringMatching(new RegExp(`^codes ${ends} 0\n$`)),
        expect.not.stringContaining('EPIPE'),
      ]);
    }
    const backup = inShell(folder, `janji backup b.db --json | true; ${codes}`);
    expect([backup.out, existsSync(join(folder, 'b.db'))]).toEqual(['codes 0 0\n', true]);
  });

  it('that is the data itself is a failure where not all of it was read', async () => {
    const folder = newFolder();
    expect((await commandLine(folder)('demo')).status).toBe(0);
    const { out, errors } = inShell(
      folder,
      `janji export-data doctors - | true; echo "codes \${PIPESTATUS[*]}"`,
    );
    expect([out, errors]).toEqual([
      'codes 1 0\n',
      'The reader of the output ended before all was written.\n',
    ]);
  });

  it.runIf(existsSync('/dev/full'))(
    'that cannot be written is a failure, with its reason',
    async () => {
      const folder = newFolder();
      expect((await commandLine(folder)('migrate')).status).toBe(0);
      const { out, errors } = inShell(folder, `janji status > /dev/full; echo "code $?" >&2`);
      expect([out, errors]).toEqual(['', expect.stringMatching(/full disk: make room\.\n(.*\n)*code 1\n$/)]);
    },
    60_000,
  );
});

describe('a file that a command is given', () => {
  it('is named in words where it is missing, a folder, or no file', async () => {
    const folder = newFolder();
    const janji = commandLine(folder);
    await janji('migrate');
    mkdirSync(join(folder, 'here'));
    const said = async (...args: string[]) => {
      const { status, errors } = await janji.with({ DATA_KEY }, ...args);
      return `${status} ${errors}`;
    };
    for (const [command, ...more] of [
      ['verify'],
      ['import'],
      ['restore', '--force'],
      ['import-patients'],
      ['import-visits'],
    ] as const) {
      expect([command, await said(command, 'none', ...more)]).toEqual([
        command,
        expect.stringMatching(/^1 .*none is not there\.\n$/),
      ]);
      expect([command, await said(command, 'here', ...more)]).toEqual([
        command,
        expect.stringMatching(/^1 .*here is a folder\.\n$/),
      ]);
      expect([command, await said(command, '-', ...more)]).toEqual([
        command,
        expect.stringMatching(/^1 - is no file: .* name a file\.\n$/),
      ]);
    }
    expect(await said('--settings', 'none.env', 'check')).toBe('1 none.env is not there.\n');
    expect(await said('import-patients', 'here/none', '--results', 'x')).toMatch(
      /^1 here\/none is not there/,
    );
    expect(existsSync(join(folder, 'x'))).toBe(false);
  });

  it('is counted in words, one as one', async () => {
    const folder = newFolder();
    const janji = commandLine(folder);
    await janji.with(
      { JANJI_ADMIN_PASSWORD: 'kata-sandi-uji-17' },
      'create-admin',
      '--email',
      'a@b.id',
      '--name',
      'A',
    );
    expect((await janji('backup', 'b.db')).out).toBe('b.db: 1 account, 1 patient, 0 bookings, 0 events\n');
    writeFileSync(join(folder, 'p.csv'), 'nama;tgl lahir\nSiti;1950-01-25\n');
    await janji.with({ DATA_KEY }, 'import-patients', 'p.csv');
    expect((await janji.with({ DATA_KEY }, 'export-data', 'patients', 'p.ndjson')).out).toMatch(
      /^p\.ndjson: 1 patient\. It is patients' data: /,
    );
    expect((await janji.with({ DATA_KEY }, 'export-data', 'sessions', 's.ndjson')).out).toBe(
      's.ndjson: 0 sessions.\n',
    );
  });
});

describe('--results', () => {
  it('- writes the rows to standard output, and the summary beside it', async () => {
    const folder = newFolder();
    const file = join(folder, 'p.csv');
    writeFileSync(file, 'nama;tgl lahir\nSiti;1950-01-25\n');
    const janji = commandLine(folder);
    await janji('migrate');
    const ran = inShell(folder, 'janji import-patients p.csv --results -');
    expect(ran.out).toMatch(/^row,outcome,patient_id,problems\r\n2,"created","[\da-f-]{36}",""\r\n$/);
    expect(ran.errors).toContain('1 added');
    expect(existsSync(join(folder, '-'))).toBe(false);
    const both = await janji.with({ DATA_KEY }, 'import-patients', 'p.csv', '--results', '-', '--json');
    expect([both.status, both.errors]).toEqual([1, expect.stringContaining('where --json would answer')]);
    const onto = await janji.with({ DATA_KEY }, 'import-patients', 'p.csv', '--results', './p.csv');
    expect([onto.status, onto.errors]).toEqual([
      1,
      expect.stringContaining('names the file that is imported'),
    ]);
    expect(readFileSync(file, 'utf8')).toBe('nama;tgl lahir\nSiti;1950-01-25\n');
  });
});
