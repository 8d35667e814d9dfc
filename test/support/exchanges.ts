import { exchanges } from '../../src/core/tables/exchanges.ts';
import type { World } from './world.ts';

/** A parked step of a booking; gives its id. */
export const addExchange = async (
  { db, deps, clock }: Pick<World, 'db' | 'deps' | 'clock'>,
  bookingId: string,
  fields: Partial<typeof exchanges.$inferInsert> = {},
): Promise<string> => {
  const id = deps.newId();
  await db.insert(exchanges).values({
    id,
    bookingId,
    ...{ target: 'bpjs', step: 'add', state: 'parked', reason: 'referral', answer: 'Rujukan tidak valid' },
    ...{ slot: '{}', attempts: 1, occurredAt: clock.now, dueAt: clock.now, parkedAt: clock.now },
    ...fields,
  });
  return id;
};
