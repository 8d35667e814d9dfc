import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { violatedUnique } from '../../src/core/db/conflict.ts';
import { type Db, run, runAll } from '../../src/core/db/db.ts';
import { statement } from '../../src/core/db/statement.ts';
import { users } from '../../src/core/tables/accounts.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { doctors, schedules, sessions } from '../../src/core/tables/catalog.ts';
import { createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

/** The messages of an error and its causes: SQLite's own message is one of them. */
const messagesOf = (error: unknown): string =>
  error instanceof Error ? `${error.message}\n${messagesOf(error.cause)}` : '';

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

  it('keeps a seat and a patient’s start unique even without a guard before the write', async () => {
    const world = await createWorld();
    const { doctorId, sessionId } = await createPractice(world);
    const [one, two] = [await createPerson(world), await createPerson(world)];
    type Row = typeof bookings.$inferInsert;
    const row = (patientId: string, code: string, fields: Partial<Row> = {}): Row => ({
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
      ...fields,
    });
    const insert = statement((db) => db.insert(bookings).values(row(one.id, 'A')));
    await run(world.db, insert(world.db, {}));
    const refusal = async (write: PromiseLike<unknown>): Promise<string> =>
      messagesOf(
        await write.then(
          () => new Error('written'),
          (error: unknown) => error,
        ),
      );
    const insertOf = (...values: Parameters<typeof row>) => world.db.insert(bookings).values(row(...values));
    const change = (code: string, fields: Partial<Row>) =>
      world.db.update(bookings).set(fields).where(eq(bookings.bookingCode, code));
    const [seatTaken, busy] = [
      'a seat belongs to one live booking',
      'a patient has one live booking at a start',
    ];

    expect(await refusal(insertOf(two.id, 'B'))).toContain(seatTaken);
    expect(await refusal(insertOf(one.id, 'B', { seat: 2 }))).toContain(busy);
    await insertOf(two.id, 'B', { seat: 2 });
    await insertOf(two.id, 'C', { startsAt: 2, seat: 2 });
    await insertOf(two.id, 'D', { status: 'canceled' });
    expect(await refusal(change('B', { seat: 1 }))).toContain(seatTaken);
    expect(await refusal(change('C', { startsAt: 1, seat: 3 }))).toContain(busy);
    expect(await refusal(change('D', { status: 'approved', seat: 3 }))).toContain(busy);
    expect(await refusal(change('B', { patientId: one.id }))).toContain(busy);
    // A change that affects neither seat nor patient, or ends a booking, is not a second one.
    await change('B', { status: 'approved' });
    await change('A', { status: 'canceled' });
    await change('B', { seat: 1 });
  });
});
