import { runDurableObjectAlarm } from 'cloudflare:test';
import { describe, expect, it } from 'vitest';
import { createAlarm } from '../../src/runtime/worker/objects/alarm.ts';
import { askHost, askOperator, createClinics } from '../support/objects/clinics.ts';

const minuteMs = 60_000;

interface Waking {
  describe(): Promise<{ wakesAt: number | null }>;
}

/** In how many milliseconds an object wakes by itself; infinite if it does not. */
const wakesIn = async (object: Waking): Promise<number> => {
  const { wakesAt } = await object.describe();
  return wakesAt === null ? Number.POSITIVE_INFINITY : wakesAt - Date.now();
};

/** Lets an object do what is due until it would wake for nothing that is near. */
const rested = (object: Waking) =>
  expect.poll(
    async () => {
      await runDurableObjectAlarm(object);
      return wakesIn(object);
    },
    { timeout: 20_000, interval: 50 },
  );

describe('the object of a clinic', () => {
  it('does not wake while nothing is due', async () => {
    const body = { name: 'Klinik Sunyi', hosts: ['sunyi.janji.example'], id: 'sunyi' };
    expect((await askOperator('', { body })).status).toBe(201);
    expect((await askHost('sunyi.janji.example', '/v1/doctors')).status).toBe(200);
    const wakes = async () => (await askOperator('/sunyi')).body.data.due_at;
    // Its first link ends in a week.
    const isFar = async () => {
      const at = await wakes();
      return at === null || Date.parse(at) > Date.now() + 24 * 60 * minuteMs;
    };
    await expect.poll(isFar, { timeout: 20_000, interval: 50 }).toBe(true);
  });

  it('wakes for what is due, and then rests until the next thing', async () => {
    const { objectOf, login, book } = await createClinics(['melati']);
    const { object } = await objectOf('melati');
    expect((await book('melati', await login('melati'))).status).toBe(201);
    await rested(object).toBeGreaterThan(2 * minuteMs);
    // The visit that waits for approval ends some day.
    expect(await wakesIn(object)).toBeLessThan(Number.POSITIVE_INFINITY);
  });

  it('does not wake while it is closed, and does what became due when it is opened', async () => {
    const { objectOf, idOf, login } = await createClinics(['melati']);
    const { object } = await objectOf('melati');
    await login('melati');
    await askOperator(`/${idOf('melati')}/close`, { method: 'POST' });
    await expect.poll(() => wakesIn(object), { timeout: 5_000 }).toBe(Number.POSITIVE_INFINITY);
    await askOperator(`/${idOf('melati')}/open`, { method: 'POST' });
    expect(await wakesIn(object)).toBeLessThan(Number.POSITIVE_INFINITY);
  });
});

describe('the alarm of an object', () => {
  const open = ({ standing = null }: { standing?: number | null } = {}) => {
    const state = { now: 1_000_000, at: standing, sets: 0, nextAt: Number.POSITIVE_INFINITY };
    const works: Promise<unknown>[] = [];
    const alarm = createAlarm({
      storage: {
        setAlarm: async (at) => {
          state.at = at;
          state.sets += 1;
        },
        deleteAlarm: async () => {
          state.at = null;
        },
      },
      standing,
      clock: () => state.now,
      readNextAt: async () => state.nextAt,
      background: (work) => void works.push(work),
      pause: async () => {},
    });
    return { state, alarm, settled: () => Promise.all(works) };
  };

  it('is set with a write, a minute ahead, until it is known what is due; many writes set it once', async () => {
    const { state, alarm, settled } = open();
    alarm.wrote();
    expect(state.at).toBe(state.now + minuteMs);
    alarm.wrote();
    expect(state.sets).toBe(1);
    state.nextAt = state.now + 5 * minuteMs;
    await settled();
    expect([state.at, state.sets]).toEqual([state.nextAt, 2]);
  });

  it('is taken away where nothing is due, and left alone where it is right', async () => {
    const { state, alarm } = open({ standing: 5_000_000 });
    state.nextAt = 5_000_000;
    await alarm.settle();
    expect(state.sets).toBe(0);
    state.nextAt = Number.POSITIVE_INFINITY;
    await alarm.settle();
    expect(state.at).toBeNull();
  });

  it('comes at once for what became due, but a minute after a round for what stays due', async () => {
    const { state, alarm } = open();
    state.nextAt = 0;
    await alarm.settle();
    expect(state.at).toBe(state.now + 1_000);
    state.now += 1_000;
    alarm.woken();
    await alarm.ran(0);
    expect(state.at).toBe(state.now + minuteMs);
    await alarm.settle();
    expect(state.at).toBe(state.now + minuteMs);
  });
});
