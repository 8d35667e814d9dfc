import { expect, it } from 'vitest';
import { exchangeLookups, exchanges, exchangeTargets } from '../../src/core/tables/exchanges.ts';
import { bookingInput } from '../support/clinic.ts';
import { createClinic } from '../support/clinic-people.ts';
import { type Cost, costing } from '../support/counted-d1.ts';
import { publicUrl } from '../support/fhir.ts';
import { bpjsSettings } from '../support/peers/bpjs.ts';
import { satusehatSettings } from '../support/peers/satusehat.ts';
import { createWorld, type World } from '../support/world.ts';

/** What a clinic that once reported its visits has left: a needless read of these tables would cost their rows. */
const fillExchanges = async ({ db, deps, clock }: World, bookingIds: readonly string[]) => {
  const kept = { step: 'add', slot: '{}', state: 'parked', attempts: 1, reason: 'no_card' } as const;
  for (const bookingId of bookingIds)
    for (const target of ['bpjs', 'satusehat'] as const)
      await db.insert(exchanges).values({
        ...kept,
        id: deps.newId(),
        bookingId,
        target,
        occurredAt: clock.now,
        dueAt: clock.now,
      });
  await db.insert(exchangeTargets).values([{ target: 'bpjs' }, { target: 'satusehat' }]);
  await db.insert(exchangeLookups).values(bookingIds.map((subjectId) => ({ subjectId, askedAt: clock.now })));
};

/**
 * What each kind of request costs a clinic with two doctors, one of whom has five visits on Monday and one on each of the
 * next three days. The patient has four of them, the stranger the others; a fifth of the patient's is the one that is counted.
 */
const measure = async (settings = {}): Promise<Record<string, Cost>> => {
  const world = await createWorld({ MAX_UNPROVED_BOOKINGS: '10', ...settings });
  const { practice, patient, stranger } = await createClinic(world);
  const request = costing(world);
  const book = (token: string, schedule_date: string, schedule_time: string) =>
    request('/v1/bookings', { token, body: bookingInput(practice, { schedule_date, schedule_time }) });
  const ids: string[] = [];
  for (const date of ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26'])
    ids.push((await book(patient.token, date, '09:00:00')).data.id ?? '');
  for (const time of ['08:00:00', '08:30:00', '09:30:00', '10:00:00'])
    ids.push((await book(stranger.token, '2026-11-23', time)).data.id ?? '');
  await fillExchanges(world, ids);
  const { token } = patient;
  const slots = `/v1/doctors/${practice.doctorId}/slots?from=2026-11-23&to=2026-11-29`;
  const booked = await book(token, '2026-11-23', '11:00:00');
  return {
    'GET /v1/auth/profile': (await request('/v1/auth/profile', { token })).cost,
    'GET /v1/bookings/history': (await request('/v1/bookings/history', { token })).cost,
    'GET /v1/doctors/{id}/slots': (await request(slots)).cost,
    'GET /v1/slots': (await request('/v1/slots?date=2026-11-23')).cost,
    'POST /v1/bookings': booked.cost,
    'POST /v1/bookings/{id}/cancel': (
      await request(`/v1/bookings/${booked.data.id}/cancel`, { token, body: {} })
    ).cost,
  };
};

// A figure that rises is paid for by each such request: it is raised on purpose, or not at all.
const costs: Record<string, Cost> = {
  'GET /v1/auth/profile': { trips: 1, statements: 1, read: 3, written: 0 },
  'GET /v1/bookings/history': { trips: 1, statements: 2, read: 8, written: 0 },
  'GET /v1/doctors/{id}/slots': { trips: 1, statements: 6, read: 36, written: 0 },
  'GET /v1/slots': { trips: 1, statements: 5, read: 56, written: 0 },
  'POST /v1/bookings': { trips: 2, statements: 5, read: 34, written: 10 },
  'POST /v1/bookings/{id}/cancel': { trips: 2, statements: 10, read: 32, written: 4 },
};

it('with the health systems off, none of these requests reads a row for them', async () => {
  expect(await measure()).toEqual(costs);
});

it('with all of them on, it costs the same until there is something to report', async () => {
  const on = { FHIR: 'on', PUBLIC_URL: publicUrl, ...bpjsSettings, ...satusehatSettings };
  expect(await measure(on)).toEqual(costs);
});
