import { describe, expect, it } from 'vitest';
import { createAnnouncer, oldest, oldestAtLoad } from '../../../web/waiting-room/logic/announcer.ts';
import { type Call, chosen, latestCall, type Queue } from '../../../web/waiting-room/logic/queue.ts';
import { createTurns, longestMs, shortestMs } from '../../../web/waiting-room/logic/turns.ts';
import { turnable } from './clock.ts';

const start = Date.parse('2026-12-01T02:00:00Z');
const at = (seconds: number) => start + seconds * 1_000;

const queue = (
  prefix: string,
  ...calls: (readonly [label: string, seconds: number, count?: number])[]
): Queue => ({
  prefix,
  room: `Ruang ${prefix}`,
  doctor_id: prefix,
  doctor_name: 'dr. Sari',
  session_id: 's',
  now: null,
  calls: calls.map(([label, seconds, count = 1]) => ({
    label,
    called_at: new Date(at(seconds)).toISOString(),
    call_count: count,
  })),
  waiting: [],
  notice: null,
});
const labels = (calls: readonly Call[]) => calls.map(({ label, count }) => `${label} ${count}`);

describe('a call is new', () => {
  it('at load only where it has just been made', () => {
    const answer = [queue('A', ['A-02', 0], ['A-01', -30])];
    expect(labels(createAnnouncer()(answer, at(5)))).toEqual(['A-02 1']);
    expect(createAnnouncer()(answer, at(0) + oldestAtLoad + 1)).toEqual([]);
  });

  it('once, however often it is read', () => {
    const announce = createAnnouncer();
    announce([queue('A')], at(0));
    const answer = [queue('A', ['A-01', 2])];
    expect(labels(announce(answer, at(3)))).toEqual(['A-01 1']);
    expect(announce(answer, at(6))).toEqual([]);
  });

  it('again when the patient is called again, out of order as well', () => {
    const announce = createAnnouncer();
    announce([queue('A', ['A-05', 0])], at(1));
    expect(labels(announce([queue('A', ['A-02', 10], ['A-05', 0])], at(11)))).toEqual(['A-02 1']);
    expect(labels(announce([queue('A', ['A-05', 20, 2], ['A-02', 10])], at(21)))).toEqual(['A-05 2']);
    // A count alone is enough, should the time be the same.
    expect(labels(announce([queue('A', ['A-05', 20, 3], ['A-02', 10])], at(24)))).toEqual(['A-05 3']);
  });

  it('for each of two who are called in the same second, whichever answer brings them', () => {
    const announce = createAnnouncer();
    announce([queue('A')], at(0));
    expect(labels(announce([queue('A', ['A-01', 2])], at(2)))).toEqual(['A-01 1']);
    expect(labels(announce([queue('A', ['A-02', 2], ['A-01', 2])], at(5)))).toEqual(['A-02 1']);
    expect(announce([queue('A', ['A-02', 2], ['A-01', 2])], at(8))).toEqual([]);
  });

  it('never because an undone call uncovers an older one', () => {
    const announce = createAnnouncer();
    announce([queue('A', ['A-02', 2], ['A-01', 1])], at(3));
    expect(announce([queue('A', ['A-01', 1])], at(6))).toEqual([]);
    expect(announce([queue('A', ['A-01', 1], ['A-00', -60])], at(6))).toEqual([]);
  });

  it('after a loss of network, the oldest first, unless it is older than five minutes', () => {
    const announce = createAnnouncer();
    announce([queue('A'), queue('B')], at(0));
    const late = oldest / 1_000;
    const answer = [queue('A', ['A-02', 200], ['A-01', 10]), queue('B', ['B-01', 100])];
    expect(labels(announce(answer, at(late + 50)))).toEqual(['B-01 1', 'A-02 1']);
    expect(announce(answer, at(late + 53))).toEqual([]);
  });

  it('not because its queue was gone for a moment', () => {
    const announce = createAnnouncer();
    announce([queue('A')], at(0));
    const answer = [queue('A', ['A-01', 2])];
    expect(announce(answer, at(3))).toHaveLength(1);
    expect(announce([], at(6))).toEqual([]);
    expect(announce(answer, at(9))).toEqual([]);
  });
});

describe('the queues of a screen', () => {
  const all = ['A', 'B', 'C'].map((prefix, nth) => queue(prefix, [`${prefix}-01`, nth]));

  it('are those that were chosen, in that order, or all', () => {
    expect(chosen(all, ['C', 'X', 'A']).map(({ prefix }) => prefix)).toEqual(['C', 'A']);
    expect(chosen(all, [])).toBe(all);
  });

  it('have one latest call', () => {
    expect(latestCall(all)?.label).toBe('C-01');
    expect(latestCall([])).toBeNull();
  });
});

describe('announcements', () => {
  const scene = (say: (call: Call) => Promise<void>) => {
    const clock = turnable();
    const shown: (string | null)[] = [];
    const turns = createTurns({
      clock,
      time: () => start + clock.now(),
      say,
      show: (call) => shown.push(call?.label ?? null),
    });
    return { clock, shown, turns };
  };
  const call = (label: string, seconds = 0): Call => ({
    queue: 'A',
    label,
    room: '',
    doctor: '',
    calledAt: at(seconds),
    count: 1,
  });

  it('wait for each other: never two at once', async () => {
    let open = 0;
    let most = 0;
    const { clock, shown, turns } = scene(async () => {
      open += 1;
      most = Math.max(most, open);
      await new Promise<void>((over) => void clock.after(11_000, over));
      open -= 1;
    });
    turns.add([call('A-01'), call('B-01')]);
    await clock.turn(1_000);
    turns.add([call('C-01', 1)]);
    expect(shown).toEqual(['A-01']);
    await clock.turn(60_000);
    expect(shown).toEqual(['A-01', 'B-01', 'C-01', null]);
    expect(most).toBe(1);
    expect(clock.pending()).toBe(0);
  });

  it('are shown for six seconds without a voice', async () => {
    const { clock, shown, turns } = scene(() => Promise.resolve());
    turns.add([call('A-01'), call('B-01')]);
    await clock.turn(shortestMs - 1);
    expect(shown).toEqual(['A-01']);
    await clock.turn(1_000);
    expect(shown).toEqual(['A-01', 'B-01']);
  });

  it('go on when a sound fails or never ends', async () => {
    let nth = 0;
    const { clock, shown, turns } = scene(() =>
      nth++ === 0 ? Promise.reject(new Error('no sound')) : new Promise(() => {}),
    );
    turns.add([call('A-01'), call('B-01'), call('C-01')]);
    await clock.turn(shortestMs + 1_000);
    expect(shown).toEqual(['A-01', 'B-01']);
    await clock.turn(longestMs + 1_000);
    expect(shown).toEqual(['A-01', 'B-01', 'C-01']);
  });

  it('that had to wait for five minutes are dropped', async () => {
    const { clock, shown, turns } = scene(() => new Promise((over) => void clock.after(11_000, over)));
    turns.add(Array.from({ length: 100 }, (_, nth) => call(`A-${nth}`)));
    await clock.turn(3_600_000);
    expect(shown.length).toBeLessThan(30);
    expect(shown.at(-1)).toBeNull();
    expect(turns.isBusy()).toBe(false);
  });
});
