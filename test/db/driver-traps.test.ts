import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { violatedUnique } from '../../src/db/conflict.ts';
import { type Db, run, runAll } from '../../src/db/db.ts';
import { statement } from '../../src/db/statement.ts';
import { users } from '../../src/tables/accounts.ts';
import { bookings } from '../../src/tables/bookings.ts';
import { doctors, schedules, sessions } from '../../src/tables/catalog.ts';
import { createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

describe('the ways in which this stack loses data', () => {
  it('refuses a statement whose columns share a name, which D1 would shift in a batch', async () => {
    const world = await createWorld();
    const twins = statement((db) =>
      db
        .select({ a: schedules.id, b: sessions.id })
        .from(schedules)
        .innerJoin(sessions, eq(sessions.id, schedules.sessionId)),
    );
    expect(() => twins(world.db, {})).toThrow('Two selected columns are named "id"');
  });

  it('gives a joined row its own values in a batch', async () => {
    const world = await createWorld();
    const { doctorId, sessionId } = await createPractice(world);
    const joined = statement((db) =>
      db
        .select({ sessionId: schedules.sessionId, doctorName: doctors.name, capacity: schedules.capacity })
        .from(schedules)
        .innerJoin(doctors, eq(doctors.id, schedules.doctorId))
        .limit(1),
    );
    const [[row], all] = await runAll(world.db, [joined(world.db, {}), joined(world.db, {})] as const);
    expect(row).toEqual({ sessionId, doctorName: 'Sari Wulandari', capacity: 1 });
    expect(all).toHaveLength(1);
    expect(doctorId).toBeTruthy();
  });

  it('has no interactive transaction in the type that queries are written against', () => {
    const uses = (db: Db) => {
      // @ts-expect-error D1 has no interactive transactions, and on libSQL two at once block the event loop.
      return db.transaction;
    };
    expect(uses).toBeTypeOf('function');
  });

  it('undoes the whole batch when one of its statements fails', async () => {
    const world = await createWorld();
    const { email } = await createPerson(world);
    const session = { id: crypto.randomUUID(), name: 'Kontrol', createdAt: 0, updatedAt: 0 };
    const [person] = await world.db.select().from(users);
    const twin = { ...person, id: crypto.randomUUID(), email } as typeof users.$inferInsert;
    const failed = await world.db
      .batch([world.db.insert(sessions).values(session), world.db.insert(users).values(twin)])
      .catch((error: unknown) => error);
    expect(violatedUnique(failed)).toBe('users.email');
    expect(await world.db.select().from(sessions)).toEqual([]);
  });

  it('names the broken constraint of a single statement and of a batch alike', async () => {
    const world = await createWorld();
    await createPerson(world);
    const [person] = await world.db.select().from(users);
    const insert = world.db
      .insert(users)
      .values({ ...person, id: crypto.randomUUID() } as typeof users.$inferInsert);
    const single = await insert.then(() => null).catch((error: unknown) => error);
    expect(violatedUnique(single)).toBe('users.email');
    expect(violatedUnique(new Error('something else'))).toBeNull();
  });

  it('keeps the seat unique even where no guard stands before the insert', async () => {
    const world = await createWorld();
    const { doctorId, sessionId } = await createPractice(world);
    const [one, two] = [await createPerson(world), await createPerson(world)];
    const row = (patientId: string, code: string): typeof bookings.$inferInsert => ({
      id: crypto.randomUUID(),
      version: 1,
      writeId: crypto.randomUUID(),
      patientId,
      doctorId,
      doctorName: '',
      sessionId,
      sessionName: '',
      scheduleDate: '2026-11-23',
      scheduleTime: '09:00:00',
      startsAt: 1,
      endsAt: 2,
      seat: 1,
      queueNumber: 1,
      bookingCode: code,
      notes: '',
      status: 'waiting',
      createdBy: patientId,
      createdAt: 0,
      updatedAt: 0,
      callCount: 0,
    });
    const insert = statement((db) => db.insert(bookings).values(row(one.id, 'A')));
    await run(world.db, insert(world.db, {}));
    const second = await world.db
      .insert(bookings)
      .values(row(two.id, 'B'))
      .catch((error: unknown) => error);
    expect(violatedUnique(second)).toBe('bookings.doctor_id, bookings.starts_at, bookings.seat');
  });
});
