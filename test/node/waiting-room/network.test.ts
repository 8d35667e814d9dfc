import { describe, expect, it } from 'vitest';
import {
  buildAddress,
  isScreen,
  parseSettings,
  prefixesIn,
  usual,
} from '../../../web/waiting-room/address.ts';
import {
  answerWithin,
  computeLoss,
  everyMs,
  jittered,
  retryAfter,
} from '../../../web/waiting-room/logic/loss.ts';
import { listNext, nextShown, pageAt, shortName, splitPages } from '../../../web/waiting-room/logic/pages.ts';
import { createPoll } from '../../../web/waiting-room/logic/poll.ts';
import type { Queue } from '../../../web/waiting-room/logic/queue.ts';
import { isTimeToReload, type Moment } from '../../../web/waiting-room/logic/reload.ts';
import { turnable } from './clock.ts';

describe('a screen that hears nothing', () => {
  it.each([
    [0, 'fresh'],
    [14_999, 'fresh'],
    [15_000, 'late'],
    [299_999, 'late'],
    [300_000, 'old'],
    [1_799_999, 'old'],
    [1_800_000, 'lost'],
  ])('for %i ms is %s', (age, loss) => {
    expect(computeLoss(age)).toBe(loss);
  });
});

describe('the screen asks', () => {
  const scene = (ask: (signal: AbortSignal) => Promise<void>) => {
    const clock = turnable();
    const at: number[] = [];
    const poll = createPoll({
      clock,
      random: () => 0.5,
      ask: (signal) => {
        at.push(clock.now());
        return ask(signal);
      },
    });
    return { clock, at, poll };
  };
  const gaps = (at: readonly number[]) => at.slice(1).map((time, nth) => time - (at[nth] ?? 0));

  it('every three seconds, a tenth more or less', async () => {
    const { clock, at, poll } = scene(() => Promise.resolve());
    void poll.look();
    await clock.turn(12_500);
    expect(gaps(at)).toEqual([3_000, 3_000, 3_000, 3_000]);
    expect([0, 0.5, 1].map((random) => jittered(everyMs, random))).toEqual([2_700, 3_000, 3_300]);
  });

  it('again after 1, 2, 5, 10 and 20 seconds, and every three once it was answered', async () => {
    let isCut = true;
    const { clock, at, poll } = scene(() => (isCut ? Promise.reject(new Error('cut')) : Promise.resolve()));
    void poll.look();
    await clock.turn(59_000);
    expect(gaps(at)).toEqual([1_000, 2_000, 5_000, 10_000, 20_000, 20_000]);
    expect(retryAfter(1_000)).toBe(20_000);
    isCut = false;
    await clock.turn(19_000);
    expect(gaps(at).slice(6)).toEqual([20_000]);
    await clock.turn(6_100);
    expect(gaps(at).slice(7)).toEqual([3_000, 3_000]);
  });

  it('at once when the network is back, and never two questions at a time', async () => {
    const { clock, at, poll } = scene(() => Promise.reject(new Error('cut')));
    void poll.look();
    await clock.turn(30_000);
    const before = at.length;
    void poll.look();
    void poll.look();
    await clock.turn(0);
    expect(at.length).toBe(before + 1);
    expect(clock.pending()).toBe(1);
  });

  it('no longer than eight seconds for one answer', async () => {
    let gaveUp = 0;
    const { clock, at, poll } = scene(
      (signal) =>
        new Promise((_, fail) =>
          signal.addEventListener('abort', () => {
            gaveUp += 1;
            fail(new Error('given up'));
          }),
        ),
    );
    void poll.look();
    await clock.turn(answerWithin + 1_500);
    expect(gaveUp).toBe(1);
    expect(at).toEqual([0, answerWithin + 1_000]);
  });
});

describe('the page reloads itself', () => {
  const zone = 'Asia/Jakarta';
  const evening = Date.parse('2026-12-01T20:00:00+07:00');
  const usualMoment: Moment = {
    now: evening,
    since: evening - 3_600_000,
    zone,
    isOutdated: false,
    lastCall: null,
    isSaying: false,
    isFresh: true,
  };
  const reloadsAt = (moment: Partial<Moment>) => isTimeToReload({ ...usualMoment, ...moment });
  const night = (time: string) => Date.parse(`2026-12-02T${time}+07:00`);

  it('at three in the morning of the clinic, once', () => {
    expect(reloadsAt({ now: night('02:59:59') })).toBe(false);
    expect(reloadsAt({ now: night('03:00:00') })).toBe(true);
    expect(reloadsAt({ now: night('03:00:05'), since: night('03:00:01') })).toBe(false);
  });

  it('with a new version', () => {
    expect(reloadsAt({})).toBe(false);
    expect(reloadsAt({ isOutdated: true })).toBe(true);
  });

  it('never while somebody is called, within two minutes of a call, or without the service', () => {
    expect(reloadsAt({ isOutdated: true, lastCall: evening - 119_000 })).toBe(false);
    expect(reloadsAt({ isOutdated: true, lastCall: evening - 120_000 })).toBe(true);
    expect(reloadsAt({ isOutdated: true, isSaying: true })).toBe(false);
    expect(reloadsAt({ now: night('03:00:00'), isFresh: false })).toBe(false);
  });
});

describe('the address of a screen', () => {
  it('says all that was chosen, and is read as it was written', () => {
    const settings = {
      queues: ['A', 'UM'],
      voice: 'nada',
      look: 'terang',
      volume: 60,
      language: 'en',
    } as const;
    expect(buildAddress(settings)).toBe('?antrean=A,UM&suara=nada&tema=terang&volume=60&bahasa=en');
    expect(parseSettings(buildAddress(settings))).toEqual(settings);
    expect(parseSettings(buildAddress(usual))).toEqual(usual);
  });

  it('is as usual where it says nothing, or nonsense', () => {
    expect(parseSettings('')).toEqual(usual);
    expect(parseSettings('?antrean=%3Cb%3E,12&suara=x&tema=x&volume=loud&bahasa=fr')).toEqual({
      ...usual,
      queues: ['B'],
    });
    expect(parseSettings('?volume=999').volume).toBe(100);
    expect(prefixesIn(' a, um; a b panjang')).toEqual(['A', 'UM', 'B']);
  });

  it('opens the screen where it names queues, and the choice otherwise', () => {
    expect(isScreen('?antrean=semua')).toBe(true);
    expect(isScreen('')).toBe(false);
    expect(isScreen('?antrean=A&atur=1')).toBe(false);
  });
});

describe('the rows', () => {
  const queues = (count: number) =>
    Array.from({ length: count }, (_, nth) => ({ doctor_id: String(nth), session_id: 's' }) as Queue);

  it('are five a page at most, in pages of about the same length', () => {
    expect(
      [0, 1, 5, 6, 7, 11, 12].map((count) => splitPages(queues(count)).map(({ length }) => length)),
    ).toEqual([[], [1], [5], [3, 3], [4, 3], [4, 4, 3], [4, 4, 4]]);
  });

  it('change every twelve seconds, and stay with a queue that is being called', () => {
    const pages = splitPages(queues(12));
    expect([0, 11_999, 12_000, 24_000, 36_000].map((now) => pageAt(pages, now, null))).toEqual([
      0, 0, 1, 2, 0,
    ]);
    expect([0, 12_000, 24_000].map((now) => pageAt(pages, now, '5 s'))).toEqual([1, 1, 1]);
  });

  it('name the next patients who are present, or those on the list', () => {
    const waiting = [
      { label: 'A-01', is_there: false },
      { label: 'A-02', is_there: true },
      { label: 'A-03', is_there: true },
    ];
    expect(listNext({ waiting }, 2)).toEqual(['A-02', 'A-03']);
    expect(listNext({ waiting: waiting.slice(0, 1) }, 2)).toEqual(['A-01']);
    expect(nextShown({ calls: [], waiting }, 5)).toBe(2);
    expect(nextShown({ calls: [], waiting: [{ label: 'A-100', is_there: true }] }, 5)).toBe(1);
    expect(shortName('dr. Sari Wulandari, Sp.A, M.Kes')).toBe('dr. Sari Wulandari');
  });
});
