import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq } from 'drizzle-orm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { DatabaseUnavailableError, openEmbedded } from '../../../src/core/db/embedded/client.ts';
import { createLeaseGate } from '../../../src/core/db/embedded/lease-gate.ts';
import { takeOwnerLock } from '../../../src/core/db/embedded/owner-lock.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { findClinic, setState } from '../../../src/modules/clinics/queries.ts';
import { leases, machines } from '../../../src/modules/clinics/tables.ts';
import { demoPassword } from '../../../src/modules/demo/demo.ts';
import { readClinicsSecrets } from '../../../src/runtime/node/clinics/directory-file.ts';
import {
  createForwarding,
  createSigner,
  hashBytes,
} from '../../../src/runtime/node/clinics/machines/forwarding.ts';
import { whileHeld } from '../../../src/runtime/node/commands/with-directory.ts';
import { parseAllSettings } from '../../../src/runtime/node/settings.ts';
import { machineSecrets, openMachines, type RunningMachine } from '../../support/node/machines.ts';
import { openManyClinics } from '../../support/node/many-clinics.ts';

const lease = 300_000;

type Answer = Pick<Awaited<ReturnType<RunningMachine['ask']>>, 'status' | 'rawHeaders' | 'bytes'>;

/** What a client gets, but for when it was sent. */
const received = ({ status, rawHeaders, bytes }: Answer) => {
  const fields = rawHeaders.flatMap((name, at) => (at % 2 === 0 ? [`${name}: ${rawHeaders[at + 1]}`] : []));
  return {
    status,
    fields: fields.filter((field) => !field.startsWith('Date:')).sort(),
    bytes: bytes.toString('base64'),
  };
};

/** Until the machine that had the clinic has closed its file, and this one opens it. */
const untilLetGo = ({ ask }: RunningMachine): Promise<boolean> =>
  vi.waitUntil(async () => (await ask('melati', '/v1/doctors')).status === 200, {
    timeout: 30_000,
    interval: 10,
  });

describe('clinics that several machines serve', () => {
  it('are answered by every machine to the byte alike, though one alone has their file', async () => {
    const { start } = await openMachines(['melati']);
    const [a, b] = [await start(), await start()];
    const token = await a.login('melati');
    const booked = await a.book('melati', token);
    const id = booked.body.data.id;
    const requestId = 'request-of-this-test';
    for (const [target, given] of [
      ['/v1/doctors', {}],
      ['/v1/doctors', { headers: { 'Accept-Encoding': 'gzip' } }],
      ['/v1/doctors?page=x', {}],
      ['/v1/bookings/history', { token }],
      ['/v1/bookings/history', {}],
      [`/v1/bookings/${id}`, { token }],
      ['/v1/doctors', { method: 'HEAD' }],
      ['/v1/doctors', { method: 'OPTIONS' }],
      ['/nowhere', {}],
      ['/', {}],
    ] as const) {
      const asked = {
        ...given,
        headers: { 'X-Request-Id': requestId, ...('headers' in given && given.headers) },
      };
      const [direct, forwarded] = [
        await a.ask('melati', target, asked),
        await b.ask('melati', target, asked),
      ];
      expect(received(forwarded), target).toEqual(received(direct));
    }
    expect(b.many.clinics.counts().open).toBe(0);
    expect(a.machines.stats()).toMatchObject({ owned: 1, forwarded: 0 });
    expect(b.machines.stats()).toMatchObject({ owned: 0, forwarded: 10, failed: 0, underWay: 0 });
  });

  it('take changes through either, each once', async () => {
    const { start } = await openMachines(['melati']);
    const [a, b] = [await start(), await start()];
    const token = await b.login('melati');
    expect(b.machines.leases.holds('melati')).toBe(true);
    const booked = await a.book('melati', token);
    expect(booked.status).toBe(201);
    const { id } = booked.body.data;
    const canceled = await a.ask('melati', `/v1/bookings/${id}/cancel`, { token, body: {} });
    expect(canceled.body.data.status).toBe('canceled');
    const history = await b.ask('melati', '/v1/bookings/history', { token });
    expect(history.body.data).toMatchObject([{ id, status: 'canceled' }]);
  });

  it('are divided: each machine has those that it was asked for first', async () => {
    const { start } = await openMachines(['melati', 'mawar']);
    const [a, b] = [await start(), await start()];
    await a.ask('melati', '/v1/doctors');
    await b.ask('mawar', '/v1/doctors');
    expect([a.machines.leases.holds('melati'), b.machines.leases.holds('mawar')]).toEqual([true, true]);
    expect((await a.ask('mawar', '/v1/doctors')).status).toBe(200);
    expect((await b.ask('melati', '/v1/doctors')).status).toBe(200);
    expect([a.machines.stats().owned, b.machines.stats().owned]).toEqual([1, 1]);
    const owners = await a.machines.listOwners();
    expect([...owners].map(([id, { address }]) => [id, address]).sort()).toEqual([
      ['mawar', `http://127.0.0.1:${b.port}`],
      ['melati', `http://127.0.0.1:${a.port}`],
    ]);
  });

  it('are taken by exactly one of those that are asked at once', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const { start } = await openMachines(ids);
    const all = [await start(), await start(), await start()];
    const answers = await Promise.all(all.flatMap(({ ask }) => ids.map((id) => ask(id, '/v1/doctors'))));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    for (const id of ids) expect(all.filter(({ machines }) => machines.leases.holds(id))).toHaveLength(1);
  });

  it('are given back at a clean stop, and another machine has them at once', async () => {
    const { start } = await openMachines(['melati']);
    const [a, b] = [await start(), await start()];
    const token = await a.login('melati');
    const booked = await a.book('melati', token);
    await a.end();
    const history = await b.ask('melati', '/v1/bookings/history', { token });
    expect(history.body.data).toMatchObject([{ id: booked.body.data.id }]);
    expect(b.machines.stats()).toMatchObject({ owned: 1, takenOver: 0 });
  });

  it('are given back when they are closed for others, or when nobody asked for ten minutes', async () => {
    const { start, time } = await openMachines(['melati', 'mawar', 'kenanga']);
    const a = await start({ CLINICS_OPEN: '1' });
    const b = await start();
    await a.ask('melati', '/v1/doctors');
    await a.ask('mawar', '/v1/doctors');
    await vi.waitUntil(() => !a.machines.leases.holds('melati'));
    await b.ask('melati', '/v1/doctors');
    expect(b.machines.stats()).toMatchObject({ owned: 1, takenOver: 0 });
    time.now += 11 * 60_000;
    await b.runDue();
    await vi.waitUntil(() => b.machines.stats().owned === 0);
    await a.ask('melati', '/v1/doctors');
    expect(a.machines.leases.holds('melati')).toBe(true);
  });

  it('closed by an operator are let go by the machine that has them', async () => {
    const { start, time } = await openMachines(['melati']);
    const [a, b] = [await start(), await start()];
    await a.ask('melati', '/v1/doctors');
    await setState(b.many.directory, 'melati', 'closed', time.now);
    await a.runDue();
    await vi.waitUntil(() => a.machines.stats().owned === 0);
    expect((await b.ask('melati', '/v1/doctors')).body.code).toBe('clinic_closed');
  });

  it('do their due work on the machine that has them, and on no other', async () => {
    const { start, time } = await openMachines(['melati']);
    const [a, b] = [await start(), await start()];
    const token = await a.login('melati');
    await a.book('melati', token);
    time.now += 60_000;
    await b.runDue();
    expect(b.many.clinics.counts().open).toBe(0);
    expect(b.told.filter(({ message }) => message === 'clinic left out')).toEqual([]);
    await a.runDue();
    expect(a.machines.leases.holds('melati')).toBe(true);
  });

  it('are not taken by a machine that does not see their file', async () => {
    const { start, path } = await openMachines(['melati']);
    const a = await start();
    rmSync(path('melati'));
    const answer = await a.ask('melati', '/v1/doctors');
    expect(answer).toMatchObject({ status: 503, body: { code: 'clinic_moving' } });
    expect(await a.machines.listOwners()).toEqual(new Map());
    expect(a.told).toContainEqual({
      message: 'clinic not seen from this machine',
      fields: { clinic: 'melati', cause: expect.stringContaining('melati.db') },
    });
  });
});

describe('a machine that is gone', () => {
  it('keeps its clinics until its lease ends: 503 with Retry-After; then another has them', async () => {
    const { start, time } = await openMachines(['melati']);
    const [a, b] = [await start(), await start()];
    const token = await a.login('melati');
    const booked = await a.book('melati', token);
    // It is cut off as by a crash; its file is let go, as the kernel does.
    await a.hangUp();
    time.directory += lease - 5_000;
    const refused = await b.ask('melati', '/v1/doctors');
    expect(refused).toMatchObject({ status: 503, body: { code: 'clinic_moving' } });
    expect(refused.headers['retry-after']).toBe('5');
    await b.machines.leases.renew();
    await a.many.clinics.closeAll().catch(() => {});
    time.directory += 5_000;
    b.machines.leases.forget('melati');
    const history = await b.ask('melati', '/v1/bookings/history', { token });
    expect(history.body.data).toMatchObject([{ id: booked.body.data.id }]);
  });

  it('is counted where its clinics were taken over', async () => {
    const { start, time } = await openMachines(['melati']);
    const [a, b] = [await start(), await start()];
    await a.machines.leases.take('melati');
    time.directory += lease - 1;
    await b.machines.leases.renew();
    await expect(b.machines.leases.take('melati')).rejects.toMatchObject({ name: 'ClinicMoving' });
    time.directory += 1;
    expect((await b.machines.leases.take('melati')).epoch).toBe(2);
    expect(b.machines.stats().takenOver).toBe(1);
  });
});

describe('a machine whose directory does not answer', () => {
  it('serves what it has until its time is over, then says 503 and is not ready, and goes on by itself', async () => {
    const { start } = await openMachines(['melati', 'mawar']);
    const [a, b] = [await start(), await start()];
    await a.ask('melati', '/v1/doctors');
    await b.ask('mawar', '/v1/doctors');
    // It fails for this machine alone.
    const batch = vi.spyOn(a.many.directory, 'batch').mockRejectedValue(new Error('no network'));
    await a.machines.leases.renew();
    await a.machines.leases.renew();
    expect(a.told.filter(({ message }) => message === 'lease not renewed')).toHaveLength(1);
    expect((await a.ask('melati', '/v1/doctors')).status).toBe(200);
    batch.mockRestore();
    await a.machines.leases.renew();
    expect((await a.ask('ops', '/ready')).status).toBe(200);
    const { gate } = await a.machines.leases.take('melati');
    createLeaseGate(gate).shut();
    expect((await a.ask('ops', '/ready')).status).toBe(503);
    expect((await a.ask('melati', '/v1/doctors')).status).toBe(503);
    await a.machines.leases.renew();
    expect((await a.ask('ops', '/ready')).status).toBe(200);
    expect((await a.ask('melati', '/v1/doctors')).status).toBe(200);
    expect(a.machines.stats().takenOver).toBe(0);
  });
});

describe('a machine that slept for longer than its lease', () => {
  it('has lost its clinics when it wakes, closes them, and forwards like any other', async () => {
    const { start, time } = await openMachines(['melati']);
    const [a, b] = [await start(), await start()];
    const token = await a.login('melati');
    time.directory += lease - 1;
    await b.machines.leases.renew();
    time.directory += 1;
    // It still has the file open: the lock keeps the next owner out until it lets go.
    const early = await b.ask('melati', '/v1/doctors');
    expect(early).toMatchObject({ status: 503, body: { code: 'clinic_moving' } });
    expect(b.many.clinics.counts().open).toBe(0);
    await a.machines.leases.renew();
    expect(a.told.map(({ message }) => message)).toContain('lease lost');
    await untilLetGo(b);
    expect((await b.book('melati', token)).status).toBe(201);
    expect(b.machines.leases.holds('melati')).toBe(true);
    expect((await a.ask('melati', '/v1/bookings/history', { token })).body.data).toHaveLength(1);
    expect(a.machines.stats()).toMatchObject({ owned: 0, forwarded: 1 });
  });

  it('reads and commits nothing more once its own time is over, before the directory says so', async () => {
    const { start } = await openMachines(['melati']);
    const a = await start();
    const token = await a.login('melati');
    const taken = await a.machines.leases.take('melati');
    const gate = createLeaseGate(taken.gate);
    expect((await a.book('melati', token)).status).toBe(201);
    const { opened } = a.many.clinics.list()[0] ?? {};
    gate.shut();
    await expect(opened?.deps.db.batch([opened.deps.db.select().from(bookings)])).rejects.toThrow();
    expect((await a.ask('melati', '/v1/bookings/history', { token })).status).toBe(503);
    expect(gate.isOpen()).toBe(false);
    await a.machines.leases.renew();
    expect((await a.ask('melati', '/v1/bookings/history', { token })).body.data).toHaveLength(1);
  });

  it('commits nothing whose time ran out between its beginning and its commit', async () => {
    const { path } = await openMachines(['melati']);
    let isOver = false;
    const client = openEmbedded({
      path: path('melati'),
      assertOwned: () => {
        if (isOver) throw new DatabaseUnavailableError('not_owned', 'the lease has run out');
      },
    });
    onTestFinished(() => client.close());
    const rename = (name: string) => client.batch([{ sql: 'update doctors set name = ?', args: [name] }]);
    await rename('before');
    isOver = true;
    await expect(rename('after')).rejects.toMatchObject({ code: 'not_owned' });
    await expect(client.migrate(["update doctors set name = 'after'"])).rejects.toMatchObject({
      code: 'not_owned',
    });
    isOver = false;
    const { rows } = await client.execute('select distinct name from doctors');
    expect(rows.map(({ name }) => name)).toEqual(['before']);
  });

  it('gets the lock of no file of which a later owner was', async () => {
    const { path } = await openMachines(['melati']);
    takeOwnerLock(path('melati'), 5).release();
    expect(() => takeOwnerLock(path('melati'), 4)).toThrow('later owner');
    const held = takeOwnerLock(path('melati'), 5);
    expect(() => takeOwnerLock(path('melati'), 6)).toThrow('another process');
    held.release();
    takeOwnerLock(path('melati'), 6).release();
  });
});

describe('a directory that was restored from an earlier copy', () => {
  it('gives a clinic a later owner than any before, though not before a lease is over', async () => {
    const { start, time } = await openMachines(['melati']);
    for (let nth = 0; nth < 3; nth++) {
      const machine = await start();
      expect((await machine.ask('melati', '/v1/doctors')).status).toBe(200);
      await machine.end();
    }
    const c = await start();
    const epoch = async () => (await c.many.directory.select().from(leases))[0]?.epoch ?? 0;
    expect(await epoch()).toBe(3);
    await c.many.directory.delete(leases);
    const early = await c.ask('melati', '/v1/doctors');
    expect(early).toMatchObject({ status: 503, body: { code: 'clinic_moving' } });
    expect(early.headers['retry-after']).toBe('1');
    time.directory += lease - 1;
    await c.machines.leases.renew();
    expect((await c.ask('melati', '/v1/doctors')).status).toBe(503);
    time.directory += 1;
    expect((await c.ask('melati', '/v1/doctors')).status).toBe(200);
    expect(await epoch()).toBe(time.directory);
    expect(c.told).toContainEqual({ message: 'epoch raised', fields: { clinic: 'melati' } });
    // From then on they are counted as ever.
    await c.end();
    const d = await start();
    expect((await d.ask('melati', '/v1/doctors')).status).toBe(200);
    expect((await d.many.directory.select().from(leases))[0]?.epoch).toBe(time.directory + 1);
  });

  it('takes every clinic from a machine that goes on by the directory of before', async () => {
    const { start, time } = await openMachines(['melati']);
    const [a, b] = [await start(), await start()];
    const token = await a.login('melati');
    const directory = b.many.directory;
    const [copied] = (await directory.select().from(machines)).filter(
      ({ id }) => id === a.machines.leases.id(),
    );
    const renew = async () => {
      time.directory += lease / 3;
      for (const { machines } of [a, b]) await machines.leases.renew();
    };
    await renew();
    await renew();
    // The copy was made before it renewed and before it took the clinic; its time is not over.
    await directory.delete(leases);
    await directory
      .update(machines)
      .set({ heldUntil: copied?.heldUntil })
      .where(eq(machines.id, copied?.id ?? ''));
    time.directory += 1;
    // By the directory nobody has it, and by the lock somebody has.
    expect(await b.ask('melati', '/v1/doctors')).toMatchObject({
      status: 503,
      body: { code: 'clinic_moving' },
    });
    expect((await a.ask('melati', '/v1/bookings/history', { token })).status).toBe(200);
    await a.machines.leases.renew();
    expect(a.told.map(({ message }) => message)).toContain('lease lost');
    await renew();
    await untilLetGo(b);
    expect((await b.ask('melati', '/v1/bookings/history', { token })).status).toBe(200);
    expect((await a.ask('melati', '/v1/bookings/history', { token })).status).toBe(200);
    expect([a.machines.stats().owned, b.machines.stats().owned]).toEqual([0, 1]);
  });
});

describe('a command that works on a clinic', () => {
  it('has it like a machine: requests are answered 503 until it ends, at any machine', async () => {
    const { start, folder, shared, time } = await openMachines(['melati', 'mawar']);
    // A command goes by the time of the directory, and so does this machine.
    time.directory = Date.now();
    const a = await start();
    const settings = parseAllSettings({
      ...{ CLINICS: 'files', CLINICS_FOLDER: folder, CLINICS_DIRECTORY: shared },
      ...{ CLINICS_ADDRESS: 'http://10.0.0.1:8787', ...machineSecrets },
    });
    const clinic = await findClinic(a.many.directory, 'melati');
    if (clinic === null) throw new Error('it is not there');
    const opened = { directory: a.many.directory, folder, settings };
    await whileHeld(opened, clinic, async () => {
      expect(await a.ask('melati', '/v1/doctors')).toMatchObject({
        status: 503,
        body: { code: 'clinic_moving' },
      });
      expect((await a.ask('mawar', '/v1/doctors')).status).toBe(200);
      await expect(whileHeld(opened, clinic, async () => {})).rejects.toThrow(
        'Another command works on melati',
      );
    });
    a.machines.leases.forget('melati');
    expect((await a.ask('melati', '/v1/doctors')).status).toBe(200);
  });
});

describe('a request that another machine forwards', () => {
  it('is answered for the address of its client, whatever that wrote into its headers', async () => {
    const { start } = await openMachines(['melati']);
    const settings = { RATE_LIMIT: 'on', TRUST_PROXY: '1', DEMO: 'on' };
    const [a, b] = [await start(settings), await start(settings)];
    await a.ask('melati', '/v1/doctors');
    const body = { email: 'pasien@klinik.example', password: 'kata-sandi-salah-1' };
    const tryFrom = async (machine: RunningMachine, address: string) => {
      const headers = { 'X-Forwarded-For': `198.51.100.${Math.floor(Math.random() * 255)}, ${address}` };
      return (await machine.ask('melati', '/v1/auth/login', { body, headers })).status;
    };
    // Five attempts for an account from a network: through either machine they are the same one's.
    const tried: number[] = [];
    for (const machine of [a, b, a, b, b, a, b]) tried.push(await tryFrom(machine, '203.0.113.7'));
    expect(tried).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect([await tryFrom(b, '192.0.2.9'), await tryFrom(a, '192.0.2.9')]).toEqual([401, 401]);
  });

  it('is answered for the address that the forwarding machine signed, and not for its own', async () => {
    const { start, host, time } = await openMachines(['melati']);
    const a = await start({ RATE_LIMIT: 'on' });
    const signer = createSigner(machineSecrets.JWT_SECRET, undefined, () => time.now);
    const body = { email: 'pasien@klinik.example', password: 'kata-sandi-salah-1' };
    const target = '/v1/auth/login';
    const tryFrom = async (clientAddress: string) => {
      const request = { machineId: a.machines.leases.id(), method: 'POST', target, host: host('melati') };
      const hash = hashBytes(Buffer.from(JSON.stringify(body)));
      const headers = { 'Janji-Forwarded': signer.sign({ ...request, clientAddress, body: hash }) };
      return (await a.ask('melati', target, { body, headers })).status;
    };
    const tried: number[] = [];
    for (const last of [7, 7, 7, 7, 7, 7]) tried.push(await tryFrom(`203.0.113.${last}`));
    expect(tried).toEqual([401, 401, 401, 401, 401, 429]);
    expect(await tryFrom('192.0.2.9')).toBe(401);
  });

  it('is refused with 403 where nobody, another machine or an earlier start signed it', async () => {
    const { start, host, time } = await openMachines(['melati']);
    const [a, b] = [await start(), await start()];
    const signed = (machineId: string, change: object = {}) => {
      const request = { machineId, method: 'GET', target: '/v1/doctors', host: host('melati') };
      return createSigner(machineSecrets.JWT_SECRET, undefined, () => time.now).sign({
        ...request,
        clientAddress: '203.0.113.7',
        body: '0',
        ...change,
      });
    };
    const own = signed(a.machines.leases.id());
    const forged = createSigner('another-secret-0123456789abcdef-0123', undefined, () => time.now).sign({
      machineId: a.machines.leases.id(),
      method: 'GET',
      target: '/v1/doctors',
      host: host('melati'),
      clientAddress: '127.0.0.1',
      body: '0',
    });
    const [form, , ...rest] = own.split('.');
    const otherAddress = [form, Buffer.from('198.51.100.1').toString('base64url'), ...rest].join('.');
    const mac = rest.at(-1);
    expect((await a.ask('melati', '/v1/doctors', { headers: { 'Janji-Forwarded': own } })).status).toBe(200);
    const forA = a.machines.leases.id();
    const forB = b.machines.leases.id();
    const refused = [
      [a, forged],
      [b, forged],
      [a, otherAddress],
      [a, signed(forB)],
      [b, signed(forA)],
      [a, signed(forA, { target: '/v1/sessions' })],
      [a, signed(forA, { method: 'POST' })],
      [a, signed(forA, { host: host('mawar') })],
      ...['x', '', '1..', `1.eA.${mac}`, own.replace('2.', `2.${'A'.repeat(300)}`)].flatMap((header) => [
        [a, header] as const,
        [b, header] as const,
      ]),
    ] as const;
    for (const [machine, header] of refused) {
      const answer = await machine.ask('melati', '/v1/doctors', { headers: { 'Janji-Forwarded': header } });
      expect(answer, header).toMatchObject({ status: 403, body: { code: 'forward_refused' } });
    }
  });

  it('is refused where it is sent again, comes too late or too early, or has another body', async () => {
    const { start, host, time } = await openMachines(['melati']);
    const a = await start();
    const target = '/v1/auth/login';
    const body = { email: 'pasien@klinik.example', password: demoPassword };
    const signed = (at: number, given: object | string = body) =>
      createSigner(machineSecrets.JWT_SECRET, undefined, () => at).sign({
        ...{ machineId: a.machines.leases.id(), method: 'POST', target, host: host('melati') },
        clientAddress: '203.0.113.7',
        body: typeof given === 'string' ? given : hashBytes(Buffer.from(JSON.stringify(given))),
      });
    const send = async (header: string, change: Parameters<typeof a.ask>[2] = {}) =>
      (
        await a.ask('melati', target, {
          body,
          ...change,
          headers: { 'Janji-Forwarded': header, ...change.headers },
        })
      ).status;
    const own = signed(time.now);
    expect(await send(own)).toBe(200);
    expect(await send(own)).toBe(403);
    // It is remembered for as long as its time lasts, and after that its time is over.
    const late = signed(time.now + 29_000);
    expect(await send(late)).toBe(200);
    time.now += 58_000;
    expect(await send(late)).toBe(403);
    expect(await send(signed(time.now - 31_000))).toBe(403);
    expect(await send(signed(time.now + 31_000))).toBe(403);
    expect(await send(signed(time.now - 29_000))).toBe(200);
    // The same length, and one letter is another.
    const changed = { ...body, email: 'pasiem@klinik.example' };
    expect(await send(signed(time.now, changed))).toBe(403);
    expect(await send(signed(time.now), { body: changed })).toBe(403);
    const length = String(JSON.stringify(body).length);
    for (const unread of ['0', 'unknown', length]) expect(await send(signed(time.now, unread))).toBe(403);
    expect(
      a.told.filter(({ message }) => message === 'forward refused').map(({ fields }) => fields.cause),
    ).toEqual([...['repeated', 'repeated', 'time', 'time'], ...['body', 'body', 'body', 'body', 'body']]);
  });

  it('has the length of its body signed where that is too large to be read first', async () => {
    const { start, host, time } = await openMachines(['melati']);
    const a = await start();
    const body = { notes: 'x'.repeat(70_000) };
    const size = JSON.stringify(body).length;
    const send = async (length: number) => {
      const header = createSigner(machineSecrets.JWT_SECRET, undefined, () => time.now).sign({
        ...{
          machineId: a.machines.leases.id(),
          method: 'POST',
          target: '/v1/auth/login',
          host: host('melati'),
        },
        ...{ clientAddress: '203.0.113.7', body: String(length) },
      });
      return (await a.ask('melati', '/v1/auth/login', { body, headers: { 'Janji-Forwarded': header } }))
        .status;
    };
    expect([await send(size), await send(size + 1)]).toEqual([413, 403]);
  });

  it('goes on to no third machine: one that has not the clinic either says so, and the first asks anew', async () => {
    const { start } = await openMachines(['melati']);
    const [a, b, c] = [await start(), await start(), await start()];
    await a.ask('melati', '/v1/doctors');
    const owner = await b.machines.leases.findElsewhere('melati');
    if (owner === null) throw new Error('nobody has it');
    // As if it had moved the moment before.
    const stale = { ...owner, id: c.machines.leases.id(), address: `http://127.0.0.1:${c.port}` };
    vi.spyOn(b.machines.leases, 'findElsewhere').mockResolvedValueOnce(stale);
    const refused = await b.ask('melati', '/v1/doctors');
    expect(refused).toMatchObject({ status: 503, body: { code: 'clinic_moving' } });
    expect(refused.headers['retry-after']).toBe('1');
    expect(c.machines.stats()).toMatchObject({ owned: 0, forwarded: 0 });
    expect((await b.ask('melati', '/v1/doctors')).status).toBe(200);
  });

  it('is refused by a machine that was started again at the same address, and the first looks again', async () => {
    const { start } = await openMachines(['melati']);
    const [a, b] = [await start(), await start()];
    await a.ask('melati', '/v1/doctors');
    const owner = await b.machines.leases.findElsewhere('melati');
    if (owner === null) throw new Error('nobody has it');
    vi.spyOn(b.machines.leases, 'findElsewhere').mockResolvedValueOnce({ ...owner, id: 'an-earlier-start' });
    expect(await b.ask('melati', '/v1/doctors')).toMatchObject({
      status: 503,
      body: { code: 'clinic_moving' },
    });
    expect((await b.ask('melati', '/v1/doctors')).status).toBe(200);
  });

  it('may wait for an event, which comes as it happens', async () => {
    const { start } = await openMachines(['melati']);
    const [a, b] = [await start(), await start()];
    const token = await a.login('melati');
    const admin = await a.ask('melati', '/v1/auth/login', {
      body: { email: 'admin@klinik.example', password: demoPassword },
    });
    const own = { token: admin.body.data.access_token };
    const { body } = await b.ask('melati', '/v1/events', own);
    const waiting = b.ask('melati', `/v1/events?after=${body.meta.sequence}&wait=20`, own);
    await vi.waitUntil(() => b.machines.stats().underWay === 1);
    const booked = await a.book('melati', token);
    const { body: told } = await waiting;
    expect(told.data).toMatchObject([{ data: { booking_id: booked.body.data.id } }]);
    expect(b.machines.stats().underWay).toBe(0);
  });

  it('ends in the midst of its answer where the machine is paused and loses the clinic', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const serve = async (answer: RequestListener) => {
      const server = createServer(answer);
      onTestFinished(() => void server.close().closeAllConnections());
      await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    let isOwner = true;
    const forwarding = createForwarding({
      signer: createSigner(machineSecrets.JWT_SECRET),
      isOwner: async () => isOwner,
      refused: () => {},
    });
    onTestFinished(forwarding.close);
    const owner = {
      address: await serve((_, outgoing) => void outgoing.write('a part')),
      ...{ id: 'paused', computer: 'one', leftMs: lease },
    };
    const front = await serve((incoming, outgoing) => {
      void forwarding.send('melati', owner, { incoming, outgoing, clientAddress: '127.0.0.1' });
    });
    const answer = await new Promise<IncomingMessage>((resolve) => void get(front, resolve));
    await once(answer, 'data');
    const broken = once(answer, 'error');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(answer.destroyed).toBe(false);
    isOwner = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await broken).toMatchObject([{ code: 'ECONNRESET' }]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('may have a body of any kind', async () => {
    const { start } = await openMachines(['melati']);
    const [a, b] = [await start(), await start()];
    const token = await a.login('melati');
    // Larger than a packet, and refused in the same words.
    const notes = 'x'.repeat(60_000);
    const big = { token, body: { notes }, headers: { 'X-Request-Id': 'a-large-body' } };
    expect(received(await b.ask('melati', '/v1/bookings', big))).toEqual(
      received(await a.ask('melati', '/v1/bookings', big)),
    );
    const chunked = { ...big, headers: { 'X-Request-Id': 'in-chunks', 'Transfer-Encoding': 'chunked' } };
    expect((await b.ask('melati', '/v1/bookings', chunked)).status).toBe(
      (await a.ask('melati', '/v1/bookings', chunked)).status,
    );
  });
});

describe('operators of several machines', () => {
  const operatorSecret = 'the-operators-secret-of-this-test-0123456789';
  const settings = { OPERATOR_SECRET: operatorSecret };

  it('see which machine has each clinic, and reach it through any', async () => {
    const { start } = await openMachines(['melati', 'mawar']);
    const [a, b] = [await start(settings), await start(settings)];
    await a.ask('melati', '/v1/doctors');
    const own = { token: operatorSecret };
    const list = await b.ask('ops', '/operator/api/clinics', own);
    expect(list.body.data.map(({ id, owner }: Record<string, unknown>) => [id, owner])).toEqual([
      ['mawar', null],
      ['melati', `http://127.0.0.1:${a.port}`],
    ]);
    // To look at them takes none.
    expect(b.machines.stats().owned).toBe(0);
    const one = await b.ask('ops', '/operator/api/clinics/melati', own);
    expect(one.body.data).toMatchObject({ owner: `http://127.0.0.1:${a.port}`, bookings_today: 0 });
    expect(b.machines.stats().forwarded).toBe(1);
    const exported = await b.ask('ops', '/operator/api/clinics/melati/export', own);
    expect(exported.bytes.toString().split('\n').length).toBeGreaterThan(50);
    expect(b.machines.stats()).toMatchObject({ owned: 0, forwarded: 2 });
    const closed = await b.ask('ops', '/operator/api/clinics/melati/close', {
      ...own,
      method: 'POST',
      body: {},
    });
    expect(closed.body.data.state).toBe('closed');
    await vi.waitUntil(() => a.machines.stats().owned === 0);
  });

  it('get 404 for a clinic whose name in the path is no text', async () => {
    const { start } = await openMachines(['melati']);
    const a = await start(settings);
    expect((await a.ask('ops', '/operator/api/clinics/%zz', { token: operatorSecret })).status).toBe(404);
  });

  it('see in the metrics what each owns, took over and forwarded', async () => {
    const { start } = await openMachines(['melati']);
    const [a, b] = [await start(), await start()];
    await a.ask('melati', '/v1/doctors');
    await b.ask('melati', '/v1/doctors');
    const told = async (machine: RunningMachine) => (await machine.ask('ops', '/metrics')).bytes.toString();
    expect(await told(a)).toContain('janji_clinics_owned 1\n');
    expect(await told(b)).toContain('janji_clinics_owned 0\n');
    expect(await told(b)).toContain('janji_clinics_forwarded_total 1\n');
    expect(await told(b)).toContain('janji_clinics_taken_over_total 0\n');
  });
});

describe('one machine alone', () => {
  it('has no line in the directory, takes no lease and no lock, and does not know the header', async () => {
    const { ask, many, folder } = await openManyClinics(['melati']);
    expect((await ask('melati', '/v1/doctors', { headers: { 'Janji-Forwarded': 'x' } })).status).toBe(200);
    expect(many().machines).toBeNull();
    const { directory } = many();
    expect(await directory.select().from(machines)).toEqual([]);
    expect(await directory.select().from(leases)).toEqual([]);
    expect(readdirSync(folder).filter((name) => name.includes('owner'))).toEqual([]);
  });

  it('needs the secrets and an address where it is one of several', async () => {
    const given = { CLINICS: 'files', CLINICS_DIRECTORY: 'file:/tmp/never-made.db', NODE_ENV: 'test' };
    expect(() => readClinicsSecrets(parseAllSettings(given), '/tmp')).toThrow('JWT_SECRET is not set');
    const { start } = await openMachines([]);
    await expect(start({ CLINICS_ADDRESS: '' })).rejects.toThrow('CLINICS_ADDRESS');
    expect(() => parseAllSettings({ ...given, CLINICS_ADDRESS: '10.0.0.1' })).toThrow('CLINICS_ADDRESS');
  });
});
