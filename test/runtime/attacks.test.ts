import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerOver, send } from '../support/http-client.ts';
import { type Server, startNode, startWorker } from '../support/servers.ts';

/** Writes bytes to the server as they are and gives all that comes back until it ends the connection. */
const raw = async (url: string, text: string): Promise<string> => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  let got = '';
  socket.on('data', (chunk) => (got += String(chunk)));
  socket.on('error', () => {});
  socket.setTimeout(20_000, () => socket.destroy());
  socket.write(text);
  await new Promise((resolve) => socket.once('close', resolve));
  return got;
};

const statusesIn = (got: string): number[] =>
  [...got.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));

const request = (line: string, headers: readonly string[], body = ''): string =>
  [line, 'Host: 127.0.0.1', 'Connection: close', ...headers, '', body].join('\r\n');

const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;

const runtimes = [
  {
    name: 'npm start',
    start: () => startNode(undefined, { DEMO: 'on', RATE_LIMIT: 'on', LOG_LEVEL: 'info' }),
  },
  { name: 'npm run dev', start: () => startWorker() },
];

describe.each(runtimes)('bytes on the wire against $name', ({ name, start }) => {
  let server: Server;
  let token: string;
  beforeAll(async () => {
    server = await start();
    token = await registerOver(server.url, 'penyerang');
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
  });

  const profile = (headers: readonly string[]) =>
    raw(server.url, request('GET /v1/auth/profile HTTP/1.1', headers));

  it('one Authorization header opens the profile, two do not, in either order', async () => {
    const good = `Authorization: Bearer ${token}`;
    expect(statusesIn(await profile([good]))).toEqual([200]);
    for (const other of [good, 'Authorization: Bearer x', 'Authorization: Basic eDp4'])
      for (const headers of [
        [good, other],
        [other, good],
      ])
        expect(`${headers} ${statusesIn(await profile(headers))[0]}`).toMatch(/ (400|401)$/);
  });

  it('a chunked body over the limit is refused, though it never says how long it is', async () => {
    const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
    const body = chunk(' '.repeat(8_000)).repeat(9) + chunk('');
    expect(statusesIn(await raw(server.url, request('POST /v1/auth/login HTTP/1.1', headers, body)))).toEqual(
      [413],
    );
  });

  it('a chunked body under the limit is read', async () => {
    const headers = ['Content-Type: application/json', 'Transfer-Encoding: chunked'];
    const body =
      chunk('{"email":"nobody@klinik.example",') + chunk('"password":"wrong-password"}') + chunk('');
    expect(statusesIn(await raw(server.url, request('POST /v1/auth/login HTTP/1.1', headers, body)))).toEqual(
      [401],
    );
  });

  it('a request hidden in the body of another is answered by nobody', async () => {
    const hidden = 'GET /v1/auth/profile HTTP/1.1\r\nHost: x\r\n\r\n';
    const headers = [
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      `Content-Length: ${hidden.length + 5}`,
    ];
    const got = await raw(server.url, request('POST /v1/auth/login HTTP/1.1', headers, `0\r\n\r\n${hidden}`));
    expect(statusesIn(got).length).toBeLessThanOrEqual(1);
  });

  it('a malformed path is answered, and no file is served by it', async () => {
    for (const path of [
      '/%E0%A4',
      '/docs/..%2f..%2fpackage.json',
      '/docs/%2e%2e/%2e%2e/package.json',
      '/v1/bookings/%00',
    ]) {
      const got = await raw(server.url, request(`GET ${path} HTTP/1.1`, []));
      expect(`${path} ${statusesIn(got)[0]}`).toMatch(/ (400|401|404)$/);
      expect(got).not.toContain('"dependencies"');
    }
  });

  it('a header that is far too long ends in an answer, not in the end of the service', async () => {
    const got = await profile([`Authorization: Bearer ${'A'.repeat(100_000)}`]);
    expect(statusesIn(got)[0] ?? 431).toBeOneOf([400, 401, 431]);
    expect((await send(server.url, '/health')).status).toBe(200);
  });

  it('methods that the service does not know are refused', async () => {
    for (const method of ['TRACE', 'PUT', 'PROPFIND']) {
      const got = await raw(server.url, request(`${method} /v1/auth/profile HTTP/1.1`, []));
      expect(statusesIn(got)[0]).toBeOneOf([400, 405, 501]);
    }
  });

  if (name === 'npm start') {
    it('two hosts are refused, whichever comes first, and no route is reached by them', async () => {
      for (const other of ['127.0.0.1', 'klinik.example']) {
        const got = await profile([`Host: ${other}`, `Authorization: Bearer ${token}`]);
        expect(statusesIn(got)).toEqual([400]);
        expect(got).toContain('"code":"invalid_header"');
      }
    });

    it('an X-Forwarded-For of one’s own choice gives nobody a new try', async () => {
      const statuses: number[] = [];
      for (let nth = 0; nth < 8; nth++) {
        const body = '{"email":"sasaran@klinik.example","password":"wrong-password"}';
        const headers = [
          'Content-Type: application/json',
          `X-Forwarded-For: 192.0.2.${nth}`,
          `Content-Length: ${body.length}`,
        ];
        statuses.push(
          ...statusesIn(await raw(server.url, request('POST /v1/auth/login HTTP/1.1', headers, body))),
        );
      }
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    });

    it('the log has a line of JSON for each request, and nothing that was sent', async () => {
      const before = server.printed().length;
      const marked = 'penanda-rahasia@klinik.example';
      const body = { email: marked, password: 'sandi-penanda-rahasia' };
      const answers = [
        await send(server.url, `/v1/auth/login?email=${marked}`, undefined, body),
        await send(server.url, `/v1/${marked}`, token),
      ];
      const ids = answers.map(({ headers }) => headers.get('X-Request-Id'));
      const printed = () => server.printed().slice(before);
      const lines = () =>
        printed()
          .split('\n')
          .slice(0, -1)
          .map((line) => JSON.parse(line));
      // The lines come by a pipe of their own, after the answers; those of other requests may come late.
      await expect
        .poll(() => lines().filter(({ request_id }) => ids.includes(request_id)), { timeout: 10_000 })
        .toMatchObject([
          {
            msg: 'request',
            method: 'POST',
            route: '/v1/auth/login',
            status: 401,
            code: 'invalid_credentials',
          },
          { msg: 'request', method: 'GET', route: 'none', status: 404, code: 'not_found' },
        ]);
      expect(printed()).not.toMatch(/penanda/);
      expect(printed()).not.toContain(token);
    });
  }
});

describe('behind a proxy that is trusted', () => {
  it('the last address of X-Forwarded-For counts: what a client adds before it does not', async () => {
    const server = await startNode(undefined, { RATE_LIMIT: 'on', TRUST_PROXY: 'on' });
    try {
      const tryFrom = async (forwarded: string) => {
        const answer = await fetch(`${server.url}/v1/auth/login`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': forwarded },
          body: '{"email":"sasaran@klinik.example","password":"wrong-password"}',
        });
        return answer.status;
      };
      const statuses: number[] = [];
      for (let nth = 0; nth < 6; nth++) statuses.push(await tryFrom(`192.0.2.${nth}, 198.51.100.1`));
      expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
      expect(await tryFrom('198.51.100.2')).toBe(401);
    } finally {
      await server.stop();
    }
  });
});
