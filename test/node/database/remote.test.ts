import { describe, expect, it, onTestFinished } from 'vitest';
import { ensureClinic } from '../../../src/core/clinic/row.ts';
import { openDatabase } from '../../../src/runtime/node/database/database.ts';
import { findProblems } from '../../../src/runtime/node/database/invariants.ts';
import { bookingInput, createPractice } from '../../support/clinic.ts';
import { newPath } from '../../support/node/embedded-files.ts';
import { type Fault, serveHrana } from '../../support/node/hrana-server.ts';
import { createPeople, createPerson } from '../../support/people.ts';
import { createWorld } from '../../support/world.ts';

const isWrite = (text: string) => text.includes('insert into \\"bookings\\"');

/** A world whose database is reached over the network; `faults` are the next ones to happen to a write. */
const remoteWorld = async () => {
  const faults: Fault[] = [];
  const readFaults: Fault[] = [];
  const path = newPath();
  const server = await serveHrana(path, (text) => (isWrite(text) ? faults : readFaults).shift() ?? null);
  onTestFinished(() => void server.close());
  const { db } = await openDatabase(server.url);
  await ensureClinic(db, 'Asia/Jakarta');
  const world = await createWorld();
  world.db = world.deps.db = db;
  const practice = await createPractice(world, { capacity: 5 });
  return { world, practice, faults, readFaults, path };
};

describe('over libSQL’s network protocol', () => {
  it('gives five of twenty simultaneous patients a seat', async () => {
    const { world, practice, path } = await remoteWorld();
    const patients = await createPeople(world, 20);
    const answers = await Promise.all(
      patients.map(({ token }) => world.request('/v1/bookings', { token, body: bookingInput(practice) })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
    expect(answers.filter(({ body }) => body.code === 'slot_full')).toHaveLength(15);
    expect(findProblems(path)).toEqual([]);
  });

  it.each(['refuse', 'lose the request', 'lose the answer'] as const)(
    'books once when the network decides to %s',
    async (fault) => {
      const { world, practice, faults, path } = await remoteWorld();
      const { token } = await createPerson(world);
      faults.push(fault, fault);
      const sent = { token, body: bookingInput(practice), headers: { 'Idempotency-Key': 'kunci-1' } };
      const booked = await world.request('/v1/bookings', sent);
      expect([booked.status, faults]).toEqual([201, []]);
      expect((await world.request('/v1/bookings', sent)).body).toEqual(booked.body);
      expect((await world.request('/v1/bookings/history', { token })).body.data).toHaveLength(1);
      expect(findProblems(path)).toEqual([]);
    },
  );

  it('reads again, and answers 503 with Retry-After when that does not help', async () => {
    const { world, readFaults } = await remoteWorld();
    const { token } = await createPerson(world);
    readFaults.push('refuse', 'lose the answer');
    expect((await world.request('/v1/bookings/history', { token })).status).toBe(200);
    readFaults.push('refuse', 'lose the request', 'lose the answer');
    const refused = await world.request('/v1/bookings/history', { token });
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(refused.headers.get('Retry-After')).toBe('1');
    expect((await world.request('/v1/bookings/history', { token })).status).toBe(200);
  });
});
