import { expect, it } from 'vitest';
import { listTargets } from '../../../src/modules/exchange/outbox/targets.ts';
import { checkExchanges } from '../../../src/runtime/node/checks/exchange.ts';
import { createPrometheus } from '../../../src/runtime/node/watch/prometheus.ts';
import { act, book } from '../../support/clinic-people.ts';
import { createExchanging, type Exchanging } from '../../support/exchanging.ts';

const minute = 60_000;

/** The gauges of exchanges at a scrape of a process that has just started. */
const scrape = async ({ world }: Exchanging) => {
  const { db, hasher, clock, config } = world.deps;
  const targets = listTargets(config);
  const prometheus = createPrometheus({ db, clock, hasher, databaseStats: null, targets });
  const lines = (await prometheus.expose()).split('\n').filter((line) => /^janji_exchange_/.test(line));
  return Object.fromEntries(
    lines.map((line) => {
      const [name = '', value] = line.split(' ');
      return [name, Number(value)];
    }),
  );
};

const gauges = (system: string, [waiting, parked, oldest, resting]: readonly number[]) => ({
  [`janji_exchange_waiting{system="${system}"}`]: waiting,
  [`janji_exchange_parked{system="${system}"}`]: parked,
  [`janji_exchange_oldest_age_seconds{system="${system}"}`]: oldest,
  [`janji_exchange_resting{system="${system}"}`]: resting,
});

const lines = async ({ world }: Exchanging) =>
  (await checkExchanges(world.db, world.deps.config, world.clock.now))
    .filter(({ what }) => what === 'BPJS Antrean' || what === 'SATUSEHAT')
    .map(({ what, verdict, says }) => `${what} ${verdict}: ${says}`);

it('the gauges and the lines of check say what waits, what wants a person, and who rests, from the first scrape on', async () => {
  const here = await createExchanging();
  const { world, clinic, bpjs, send } = here;
  expect(await scrape(here)).toEqual({
    ...gauges('bpjs', [0, 0, 0, 0]),
    ...gauges('satusehat', [0, 0, 0, 0]),
  });
  const [id, other] = [await book(world, clinic), await book(world, clinic, { schedule_time: '10:00:00' })];
  for (const verb of ['approve', 'check-in']) await act(world, clinic.staff, id, verb);
  await act(world, clinic.staff, other, 'approve');
  world.clock.now += minute;
  expect(await scrape(here)).toEqual({
    ...gauges('bpjs', [3, 0, 60, 0]),
    ...gauges('satusehat', [1, 0, 60, 0]),
  });
  bpjs.fault = (_path, body) =>
    body.estimasidilayani === Date.parse('2026-11-23T09:00:00+07:00') ? 'referral' : null;
  await send();
  expect(await scrape(here)).toEqual({
    ...gauges('bpjs', [1, 1, 61, 0]),
    ...gauges('satusehat', [0, 0, 0, 0]),
  });
  expect(await lines(here)).toEqual([
    expect.stringMatching(/^BPJS Antrean note: 1 want a person, 1 wait$/),
    expect.stringMatching(/^SATUSEHAT ok: 0 wait$/),
  ]);
  bpjs.fault = () => 'signature';
  await act(world, clinic.staff, other, 'check-in');
  await send();
  expect((await scrape(here))['janji_exchange_resting{system="bpjs"}']).toBe(1);
  expect((await lines(here))[0]).toMatch(/^BPJS Antrean note: nothing is sent until 2026-/);
  world.clock.now += 16 * minute;
  expect((await scrape(here))['janji_exchange_resting{system="bpjs"}']).toBe(0);
});

it('where no system is on there is no gauge and no line', async () => {
  const here = await createExchanging({
    ...{ BPJS: '', BPJS_URL: '', BPJS_CONS_ID: '', BPJS_SECRET: '', BPJS_USER_KEY: '', SATUSEHAT: 'off' },
  });
  expect([await scrape(here), await lines(here)]).toEqual([{}, []]);
});
