import { expect, it } from 'vitest';
import { createApp } from '../../src/app.ts';
import type { Db } from '../../src/core/db/db.ts';
import { createRounds } from '../../src/jobs/rounds.ts';
import { sendExchanges } from '../../src/modules/exchange/run.ts';
import { bookingInput } from '../support/clinic.ts';
import { createExchanging } from '../support/exchanging.ts';
import { queryOf } from '../support/plans.ts';

const off = {
  BPJS: '',
  BPJS_URL: '',
  BPJS_CONS_ID: '',
  BPJS_SECRET: '',
  BPJS_USER_KEY: '',
  SATUSEHAT: 'off',
};

/** Plays a visit, and gives the statements that were run for it and what they name. */
const play = async (settings: Record<string, string>) => {
  const { world, clinic, rows } = await createExchanging(settings);
  const statements: string[] = [];
  let batches = 0;
  const db = new Proxy(world.db as Db & Record<string | symbol, unknown>, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (name !== 'batch' || typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        batches += 1;
        for (const built of given[0] as unknown[]) statements.push(queryOf(built).sql);
        return Reflect.apply(value, target, given);
      };
    },
  });
  const app = createApp({ ...world.deps, db });
  const request = async (path: string, token: string, body: object) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const answer = await app.request(`http://localhost${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return ((await answer.json()) as { data: { id: string } }).data;
  };
  const { id } = await request('/v1/bookings', clinic.patient.token, bookingInput(clinic.practice));
  for (const verb of ['approve', 'check-in', 'call', 'complete'])
    await request(`/v1/bookings/${id}/${verb}`, clinic.staff.token, {});
  const ofVisit = { statements: statements.length, batches };
  await sendExchanges({ ...world.deps, db }, world.clock.now, AbortSignal.timeout(60_000));
  const afterSend = batches;
  await createRounds({ ...world.deps, db })();
  const named = statements.filter((text) => /exchange/.test(text) && !/exchange_code|retention/.test(text));
  return { ofVisit, sent: afterSend - ofVisit.batches, rows: await rows(), named };
};

it('where no health system is on there is no row, no statement and no round trip for it', async () => {
  const { ofVisit, sent, rows, named } = await play(off);
  expect([rows, sent]).toEqual([[], 0]);
  // The one row that says what is due reads the table; it is read in any case.
  expect(named.filter((text) => !/booking_events/.test(text))).toEqual([]);
  const on = await play({});
  expect(on.ofVisit.statements).toBe(ofVisit.statements + 4);
  expect(on.ofVisit.batches).toBe(ofVisit.batches);
});
