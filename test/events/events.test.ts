import { eq, sql } from 'drizzle-orm';
import { beforeEach, describe, expect, it } from 'vitest';
import { eventsLookedThrough } from '../../src/core/events/feed-queries.ts';
import { users } from '../../src/core/tables/accounts.ts';
import { apiKeys } from '../../src/core/tables/keys.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { bookingInput } from '../support/clinic.ts';
import { act, book, createClinic } from '../support/clinic-people.ts';
import { copyRow, otherId } from '../support/copies.ts';
import { addKey } from '../support/keys.ts';
import { createWorld, registerPatient, type World } from '../support/world.ts';

let world: World;
let clinic: Awaited<ReturnType<typeof createClinic>>;

beforeEach(async () => {
  world = await createWorld();
  clinic = await createClinic(world, { capacity: 5 });
});

const ask = (query = '', token = clinic.staff.token) => world.request(`/v1/events${query}`, { token });

describe('events in order', () => {
  it('are those of every subject, as receivers get them, and begin at the position of the reader', async () => {
    const start = (await ask()).body;
    expect(start.data).toEqual([]);
    const id = await book(world, clinic);
    await act(world, clinic.staff, id, 'approve');
    const patient = await world.request('/v1/patients', {
      token: clinic.staff.token,
      body: { name: 'Budi', birth_date: '1980-01-01' },
    });
    await world.request('/v1/admin/closures', {
      token: clinic.admin.token,
      body: { name: 'Libur', start_date: '2026-12-25', end_date: '2026-12-25' },
    });
    const { body } = await ask(`?after=${start.meta.sequence}`);
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual([
      'booking.created',
      'booking.approved',
      'patient.created',
      'closure.created',
    ]);
    expect(body.data[1].data).toMatchObject({
      booking_id: id,
      status: 'approved',
      actor_role: 'staff',
      previous: null,
    });
    expect(body.data[2].data).toMatchObject({ patient_id: patient.body.data.id, actor_role: 'staff' });
    expect(body.meta).toEqual({ sequence: body.data[3].sequence, more: false });
  });

  it('can be narrowed to types, and the position passes over the others', async () => {
    const id = await book(world, clinic);
    await act(world, clinic.staff, id, 'approve');
    const all = (await ask('?after=0')).body;
    const some = (await ask('?after=0&type=booking.approved,closure.created')).body;
    expect(some.data.map(({ type }: { type: string }) => type)).toEqual(['booking.approved']);
    expect(some.meta).toEqual(all.meta);
  });

  it('are all read exactly once by a reader that follows, however others write meanwhile', async () => {
    const start = (await ask()).body.meta.sequence;
    const people = await Promise.all(Array.from({ length: 12 }, () => registerPatient(world)));
    const seen: number[] = [];
    let after = start;
    const follow = async (): Promise<void> => {
      const { data, meta } = (await ask(`?after=${after}&limit=3`)).body;
      seen.push(...data.map(({ sequence }: { sequence: number }) => sequence));
      after = meta.sequence;
      if (meta.more) await follow();
    };
    const times = ['09:00:00', '10:00:00', '11:00:00'];
    const writing = people.map(({ token }, at) =>
      world.request('/v1/bookings', {
        token,
        body: bookingInput(clinic.practice, { schedule_time: times[at % 3] }),
      }),
    );
    const following = Array.from({ length: 4 }).reduce<Promise<void>>(
      (before) => before.then(follow),
      Promise.resolve(),
    );
    await Promise.all([...writing, following]);
    await follow();
    const all = (await ask(`?after=${start}&limit=100`)).body.data;
    expect(all.length).toBeGreaterThanOrEqual(24);
    expect(seen).toEqual(all.map(({ sequence }: { sequence: number }) => sequence));
  });

  it('are for staff, admins and keys with events:read, and 410 if they are no longer stored', async () => {
    const statuses = async (tokens: string[]) =>
      Promise.all(tokens.map(async (token) => (await ask('?after=0', token)).status));
    const keys = await Promise.all(
      (['events:read', 'bookings:read'] as const).map((scope) => addKey(world, [scope])),
    );
    const tokens = [clinic.admin, clinic.doctor, clinic.patient, ...keys].map(({ token }) => token);
    expect(await statuses(tokens)).toEqual([200, 403, 403, 200, 403]);
    const { status, body } = await ask('?after=999999');
    expect([status, body.code]).toEqual([410, 'changes_gone']);
  });
});

it('are answered from the first that is stored to whoever begins with 0, and 410 to whoever missed some', async () => {
  const id = await book(world, clinic);
  for (const verb of ['approve', 'cancel']) await act(world, clinic.staff, id, verb);
  const [first, ...others] = (await ask('?after=0')).body.data;
  await world.db.delete(bookingEvents).where(eq(bookingEvents.sequence, first.sequence));
  expect((await ask('?after=0&wait=25')).body.data).toEqual(others);
  const [second] = others;
  await world.db.delete(bookingEvents).where(eq(bookingEvents.sequence, second.sequence));
  expect((await ask(`?after=${first.sequence}`)).status).toBe(410);
  expect((await ask(`?after=${second.sequence}`)).body.data).toEqual(others.slice(1));
});

describe('a reader that waits', () => {
  it('is answered as soon as an event is written', async () => {
    const after = (await ask()).body.meta.sequence;
    const waiting = ask(`?after=${after}&wait=25`);
    const id = await book(world, clinic);
    const { body } = await waiting;
    expect(body.data[0]).toMatchObject({ type: 'booking.created', data: { booking_id: id } });
  });

  it('does not wait before events of other types, however many are passed over', async () => {
    await book(world, clinic);
    await copyRow(world, bookingEvents, eventsLookedThrough, {
      sequence: sql`null`,
      writeId: otherId('write_id'),
      bookingId: otherId('booking_id'),
    });
    let waits = 0;
    world.deps.awaitEvents = async () => {
      waits += 1;
      return false;
    };
    const next = async (after: number) => (await ask(`?after=${after}&wait=25&type=closure.created`)).body;
    const { data, meta } = await next(0);
    expect([data, meta.more, waits]).toEqual([[], true, 0]);
    expect([(await next(meta.sequence)).meta.more, waits]).toEqual([false, 1]);
  });

  it('is answered as soon as an event was read, not when the pause between two readings is over', async () => {
    const after = (await ask()).body.meta.sequence;
    let waits = 0;
    world.deps.awaitEvents = async () => {
      waits += 1;
      if (waits > 1) return new Promise<never>(() => {});
      await book(world, clinic);
      return true;
    };
    const { body } = await ask(`?after=${after}&wait=25`);
    expect(body.data[0]).toMatchObject({ type: 'booking.created' });
  });

  it('is answered at once where there is something, where the position is lost, and without a wait', async () => {
    await book(world, clinic);
    expect((await ask('?after=0&wait=25')).body.data.length).toBeGreaterThan(0);
    expect((await ask('?after=999999&wait=25')).status).toBe(410);
    const after = (await ask()).body.meta.sequence;
    expect((await ask(`?after=${after}`)).body.data).toEqual([]);
    expect((await ask('?after=0&wait=26')).status).toBe(400);
  });

  it.each(['key', 'login', 'role'] as const)('is refused where its %s ended meanwhile', async (what) => {
    const after = (await ask()).body.meta.sequence;
    const key = await addKey(world, ['events:read']);
    let waits = 0;
    world.deps.awaitEvents = async () => {
      waits += 1;
      if (waits > 1) return false;
      const { staff } = clinic;
      if (what === 'key') await world.db.update(apiKeys).set({ revokedAt: world.clock.now });
      else if (what === 'login')
        await world.request('/v1/auth/logout', { token: staff.token, method: 'POST' });
      else await world.db.update(users).set({ role: 'patient' }).where(eq(users.id, staff.id));
      await book(world, clinic);
      return true;
    };
    const { status } = await ask(`?after=${after}&wait=25`, what === 'key' ? key.token : clinic.staff.token);
    expect(status).toBe(what === 'role' ? 403 : 401);
  });

  it('is answered with nothing once nobody may wait any longer', async () => {
    const after = (await ask()).body.meta.sequence;
    world.deps.awaitEvents = async () => false;
    expect((await ask(`?after=${after}&wait=25`)).body).toMatchObject({
      data: [],
      meta: { sequence: after },
    });
  });
});
