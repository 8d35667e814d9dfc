import { describe, expect, it, onTestFinished } from 'vitest';
import { ensureClinic } from '../../../src/core/clinic/row.ts';
import { makeRemoteWrites } from '../../../src/core/db/remote/remote-writes.ts';
import { TransientDatabaseError } from '../../../src/core/db/transient.ts';
import { Unavailable } from '../../../src/core/endpoint/errors.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { bookingInput, createPractice } from '../../support/clinic.ts';
import { newPath, until } from '../../support/node/embedded-files.ts';
import { type Fault, serveHrana } from '../../support/node/hrana-server.ts';
import { createPeople } from '../../support/people.ts';
import { createWorld, registerPatient } from '../../support/world.ts';

const isWriteText = (text: string) => /BEGIN IMMEDIATE/i.test(text);

/** A world on a remote database, the next faults of its writes, and what the server has seen. */
const remoteWorld = async () => {
  const faults: Fault[] = [];
  const seen = { writes: 0, onTheirWay: 0, max: 0 };
  const ended: Promise<void> = Promise.resolve();
  const server = await serveHrana(newPath(), (text) => {
    if (!isWriteText(text)) return null;
    seen.writes += 1;
    return faults.shift() ?? null;
  });
  onTestFinished(async () => {
    await ended;
    server.close();
  });
  const world = await createWorld();
  const { db, assertUsable } = await openDatabase(server.url, undefined, { clock: () => world.clock.now });
  world.deps.assertDatabaseUsable = assertUsable;
  world.db = world.deps.db = db;
  await ensureClinic(db, 'Asia/Jakarta');
  return { world, faults, seen };
};

/** A promise, and what resolves it. */
const gate = () => {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
};

describe('a write that the server refuses as busy', () => {
  it('is tried again, whatever it holds: nothing of it was written', async () => {
    const { world, faults } = await remoteWorld();
    faults.push(...Array.from({ length: 19 }, () => 'busy' as const));
    const { token } = await registerPatient(world);
    expect(faults).toEqual([]);
    expect((await world.request('/v1/auth/profile', { token })).status).toBe(200);
  });

  it('is answered 503 after the twentieth time, and has had no effect', async () => {
    const { world, faults } = await remoteWorld();
    faults.push(...Array.from({ length: 20 }, () => 'busy' as const));
    await expect(registerPatient(world, { email: 'ramai@klinik.example' })).rejects.toThrow('unavailable');
    expect(faults).toEqual([]);
    await registerPatient(world, { email: 'ramai@klinik.example' });
  });
});

describe('the writes of one process', () => {
  it('are sent one at a time, and reads do not wait for them', async () => {
    const { world, faults, seen } = await remoteWorld();
    const practice = await createPractice(world, { capacity: 5 });
    const people = await createPeople(world, 5);
    const before = seen.writes;
    const { opened, open } = gate();
    faults.push({ hold: opened });
    const booking = Promise.all(
      people.map(({ token }) => world.request('/v1/bookings', { token, body: bookingInput(practice) })),
    );
    await until(() => seen.writes > before);
    const slots = `/v1/doctors/${practice.doctorId}/slots?session_id=${practice.sessionId}`;
    for (let n = 0; n < 5; n++) expect((await world.request(slots)).status).toBe(200);
    expect(seen.writes).toBe(before + 1);
    open();
    expect((await booking).map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(seen.writes).toBe(before + 5);
  });

  it('do not wait for ever, nor without number, behind one that hangs', async () => {
    const { opened, open } = gate();
    const writes = makeRemoteWrites({ clock: () => 0, maxQueued: 2, maxWaitMs: 5 });
    const hanging = writes.add(() => opened);
    const late = writes.add(async () => 'late');
    await expect(writes.add(async () => 'beyond')).rejects.toThrow('2 writes are waiting already');
    await expect(late).rejects.toBeInstanceOf(Unavailable);
    open();
    await hanging;
    expect(await writes.add(async () => 'next')).toBe('next');
    expect(writes.count()).toBe(0);
  });

  it('stall until one is answered, be it by a refusal of what it holds', async () => {
    const clock = { now: 0 };
    const writes = makeRemoteWrites({ clock: () => clock.now });
    const failWith = (error: Error) => writes.add(() => Promise.reject(error)).catch(() => {});
    await failWith(new TransientDatabaseError('lost'));
    clock.now = 7_000;
    await failWith(new TransientDatabaseError('lost'));
    expect(writes.stalledForMs()).toBe(7_000);
    await failWith(new Error('UNIQUE constraint failed: users.email'));
    expect(writes.stalledForMs()).toBe(0);
  });
});

describe('/ready', () => {
  it('notices a writer that hangs while reads are answered, and that it came back', async () => {
    const { world, faults, seen } = await remoteWorld();
    const before = seen.writes;
    const { opened, open } = gate();
    faults.push({ hold: opened });
    const registering = registerPatient(world);
    await until(() => seen.writes > before);
    world.clock.now += 10_000;
    expect((await world.request('/ready')).status).toBe(200);
    world.clock.now += 1;
    expect((await world.request('/ready')).status).toBe(503);
    expect((await world.request('/v1/doctors')).status).toBe(200);
    open();
    await registering;
    expect((await world.request('/ready')).status).toBe(200);
  });

  it('tries the writer itself when nobody writes any more, so that the service comes back by itself', async () => {
    const { world, faults } = await remoteWorld();
    faults.push(...Array.from({ length: 41 }, () => 'busy' as const));
    await expect(registerPatient(world)).rejects.toThrow('unavailable');
    expect((await world.request('/ready')).status).toBe(200);
    world.clock.now += 10_001;
    expect((await world.request('/ready')).status).toBe(503);
    expect(faults).toHaveLength(1);
    expect((await world.request('/ready')).status).toBe(200);
    expect(faults).toHaveLength(0);
  });
});
