import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { serviceArguments } from '../support/node/entries.ts';
import { startNode, temporaryFolder } from '../support/servers.ts';

const refusal = (env: Record<string, string>) => {
  const { status, stderr } = spawnSync(process.execPath, serviceArguments, {
    env: { ...process.env, PORT: '0', DATABASE_URL: `file:${join(temporaryFolder(), 'janji.db')}`, ...env },
    encoding: 'utf8',
    timeout: 30_000,
  });
  return { status, lines: stderr.trim().split('\n') };
};

/** The exit code after which systemd does not start the service again. */
const wrongSettings = Number(
  /^RestartPreventExitStatus=(\d+)$/m.exec(readFileSync('deploy/janji.service', 'utf8'))?.[1],
);

const dataKey = Buffer.alloc(32, 'a data key').toString('base64');

describe('the start on Node', () => {
  it('prints where the reference is, the address, the demo accounts and a tour that works when pasted', async () => {
    const server = await startNode();
    const [, script = ''] = server.printed().split('Paste this into another terminal:\n');
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    const addresses = server
      .printed()
      .split('\n')
      .filter((line) => line.includes(server.url));
    expect(addresses[0]).toBe(`Open ${server.url}/docs to read the interface and try it.`);
    expect(server.printed()).toContain(`Janji listens on ${server.url} with the demo clinic.`);
    expect(server.printed()).toContain('pasien@klinik.example');
    expect(JSON.parse(stdout)).toMatchObject({ status: 'success', data: { status: 'waiting' } });
    expect(await server.stop()).toBe(0);
  });

  it('stores the database and its secret readable only by their owner, so that a restart logs nobody out', async () => {
    const folder = temporaryFolder();
    const first = await startNode(folder);
    const login = { email: 'pasien@klinik.example', password: 'janji-demo-2026' };
    const answer = await fetch(`${first.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(login),
    });
    const { data } = (await answer.json()) as { data: { access_token: string } };
    await first.stop();
    for (const name of ['janji.db', 'janji.db.jwt-secret', 'janji.db.data-key'])
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    const second = await startNode(folder);
    const headers = { Authorization: `Bearer ${data.access_token}` };
    expect((await fetch(`${second.url}/v1/auth/profile`, { headers })).status).toBe(200);
    await second.stop();
  });

  it.each([
    [{ PORT: 'eighty' }, 'PORT'],
    [{ CLINIC_TIME_ZONE: 'Mars/Olympus' }, 'CLINIC_TIME_ZONE'],
    [{ DATABASE_URL: 'postgres://x' }, 'DATABASE_URL'],
    [{ JWT_SECRET: 'short' }, 'JWT_SECRET'],
    [{ NODE_ENV: 'production', DATA_KEY: dataKey }, 'JWT_SECRET'],
    [{ NODE_ENV: 'production', JWT_SECRET: 'x'.repeat(32) }, 'DATA_KEY'],
    [{ DATA_KEY: 'x'.repeat(32) }, 'DATA_KEY'],
    [{ DATABASE_KEY: 'geheim' }, 'DATABASE_KEY'],
    [{ NODE_ENV: 'prod' }, 'NODE_ENV'],
  ])('refuses %j in one line that names %s', (env, name) => {
    const { status, lines } = refusal(env);
    expect(status).toBe(wrongSettings);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(name);
  });

  it('says that passwords can be guessed, also to a log that is silent', async () => {
    const server = await startNode(undefined, { RATE_LIMIT: 'off', LOG_LEVEL: 'silent' });
    await server.stop();
    expect(server.printed()).toMatch(/RATE_LIMIT is off/);
  });

  it('refuses a stored secret that could be guessed', () => {
    const path = join(temporaryFolder(), 'janji.db');
    writeFileSync(`${path}.jwt-secret`, 'short');
    const { status, lines } = refusal({ DATABASE_URL: `file:${path}` });
    expect([status, lines]).toEqual([
      wrongSettings,
      [expect.stringMatching(/^JWT_SECRET .*\.jwt-secret holds none/)],
    ]);
  });

  it('names all that is wrong at once', () => {
    const { status, lines } = refusal({ PORT: 'eighty', LOG_LEVEL: 'loud', DEMO: 'yes' });
    expect([status, lines.map((line) => line.split(' ')[0])]).toEqual([
      wrongSettings,
      ['LOG_LEVEL', 'PORT', 'DEMO'],
    ]);
  });

  it('touches no database while the secret is missing', () => {
    const path = join(temporaryFolder(), 'janji.db');
    expect(refusal({ NODE_ENV: 'production', DATABASE_URL: `file:${path}` }).status).toBe(wrongSettings);
    expect(existsSync(path)).toBe(false);
  });

  it('says in one line what may pass by itself: a port is taken, a database does not answer, a folder cannot be made', async () => {
    const server = await startNode();
    const taken = refusal({ PORT: new URL(server.url).port });
    await server.stop();
    expect([taken.status, taken.lines]).toEqual([1, [expect.stringMatching(/^PORT \d+ is taken/)]]);
    const silent = refusal({
      DATABASE_URL: 'http://127.0.0.1:1',
      JWT_SECRET: 'x'.repeat(32),
      DATA_KEY: dataKey,
    });
    expect([silent.status, silent.lines]).toEqual([
      1,
      [expect.stringMatching(/^Janji cannot start: the remote database did not answer/)],
    ]);
    const noFolder = refusal({ DATABASE_URL: 'file:/dev/null/a/janji.db' });
    expect([noFolder.status, noFolder.lines]).toEqual([1, [expect.stringMatching(/cannot be made/)]]);
  });

  it('serves the demo only to this machine, unless DEMO=on also allows requests that a proxy forwards', async () => {
    const byProxy = { headers: { 'X-Forwarded-For': '192.0.2.1' } };
    const closed = await startNode();
    const refused = await fetch(`${closed.url}/v1/sessions`, byProxy);
    expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([
      403,
      'demo_not_public',
    ]);
    expect((await fetch(`${closed.url}/v1/sessions`)).status).toBe(200);
    await closed.stop();
    const open = await startNode(undefined, { DEMO: 'on', TRUST_PROXY: '1' });
    expect((await fetch(`${open.url}/v1/sessions`, byProxy)).status).toBe(200);
    await open.stop();
  });

  it('prints and logs one link for the first admin, another one at each start, and none once there is one', async () => {
    const folder = temporaryFolder();
    const settings = { DEMO: 'off', PUBLIC_URL: 'https://janji.klinik.example' };
    const form = /https:\/\/janji\.klinik\.example\/mulai\/#([\w-]{43})/g;
    const linksOf = async (printed: () => string): Promise<string[]> => {
      await vi.waitFor(() => expect(printed()).toContain(`Janji listens on `), 10_000);
      return [...printed().matchAll(form)].map(([, token = '']) => token);
    };
    const make = async (url: string, token = '') => {
      const person = { name: 'Kepala', email: 'kepala@klinik.example' };
      const password = 'kopi-susu-pagi-7';
      const answer = await fetch(`${url}/v1/setup`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'Sec-Fetch-Site': 'same-origin' },
        body: JSON.stringify({ token, ...person, password, password_confirmation: password }),
      });
      return answer.status;
    };
    const first = await startNode(folder, settings);
    const before = await linksOf(first.printed);
    expect([before.length, new Set(before).size]).toEqual([2, 1]);
    expect(await first.stop()).toBe(0);
    const second = await startNode(folder, settings);
    const [token] = await linksOf(second.printed);
    expect(await make(second.url, before[0])).toBe(422);
    expect(await make(second.url, token)).toBe(201);
    await second.stop();
    const third = await startNode(folder, settings);
    expect(await linksOf(third.printed)).toEqual([]);
    await third.stop();
  });

  it('makes no demo clinic where a proxy is trusted', async () => {
    const server = await startNode(undefined, { TRUST_PROXY: 'on' });
    expect(server.printed()).not.toContain('demo clinic');
    const answer = await fetch(`${server.url}/v1/sessions`, { headers: { 'X-Forwarded-For': '192.0.2.1' } });
    expect(await answer.json()).toMatchObject({ data: [] });
    await server.stop();
  });

  it('never serves demo data in production or to other machines by accident', async () => {
    const folder = temporaryFolder();
    await (await startNode(folder)).stop();
    const demo = {
      DATABASE_URL: `file:${join(folder, 'janji.db')}`,
      JWT_SECRET: 'x'.repeat(32),
      DATA_KEY: dataKey,
    };
    expect(refusal({ ...demo, NODE_ENV: 'production' }).lines[0]).toContain('demo clinic');
    expect(refusal({ ...demo, HOST: '0.0.0.0' }).lines[0]).toContain('demo clinic');
    for (const TRUST_PROXY of ['on', '2'])
      expect(refusal({ ...demo, TRUST_PROXY }).lines[0]).toContain('demo clinic');
  });
});
