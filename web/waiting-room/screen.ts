import { batch, signal } from '@preact/signals';
import { open } from '../shared/api/clients.ts';
import { take } from '../shared/api/take.ts';
import { clinicZone } from '../shared/time.ts';
import type { Settings } from './address.ts';
import { createAnnouncer } from './logic/announcer.ts';
import type { Clock } from './logic/clock.ts';
import { computeLoss, type Loss } from './logic/loss.ts';
import { createPoll } from './logic/poll.ts';
import { type Call, chosen, latestCall, type Queue } from './logic/queue.ts';
import { isTimeToReload } from './logic/reload.ts';
import { createTurns } from './logic/turns.ts';
import type { Player } from './sound/player.ts';
import { createVoice } from './sound/voice.ts';
import type { watchVersion } from './version.ts';
import { noteZone, recallZone } from './zone.ts';

export const clock: Clock = {
  now: () => performance.now(),
  after: (ms, then) => {
    const timer = setTimeout(then, ms);
    return () => clearTimeout(timer);
  },
};

/** How long a call is shown large. */
const highlightMs = 12_000;
const tickMs = 1_000;
const clinicEveryMs = 3_600_000;

interface Parts {
  settings: Settings;
  player: Player;
  version: ReturnType<typeof watchVersion>;
}

/**
 * The state of a running screen. Its size is bounded: the last answer, the calls that wait to be spoken, one mark for
 * each queue.
 */
export const runScreen = ({ settings, player, version }: Parts) => {
  recallZone();
  // The device's clock is used until an answer has given the service's time.
  let ahead = Date.now() - clock.now();
  const time = (): number => clock.now() + ahead;

  const queues = signal<readonly Queue[] | null>(null);
  const clinic = signal('');
  const logo = signal<string | null>(null);
  const now = signal(time());
  const answeredAt = signal<number | null>(null);
  const loss = signal<Loss>('fresh');
  const saying = signal<Call | null>(null);
  const highlighted = signal<Call | null>(null);

  let lastAnswer = clock.now();
  let since: number | null = null;
  let etag: string | null = null;
  let highlightedUntil = 0;
  let clinicAt = Number.NEGATIVE_INFINITY;

  const announcer = createAnnouncer();
  const turns = createTurns({
    clock,
    time,
    say: createVoice({ player, voice: settings.voice, volume: settings.volume }),
    show: (call) => {
      batch(() => {
        saying.value = call;
        if (call === null) return;
        highlighted.value = call;
        highlightedUntil = clock.now() + highlightMs;
      });
    },
  });

  const tick = (): void => {
    batch(() => {
      now.value = time();
      loss.value = computeLoss(clock.now() - lastAnswer);
      if (saying.value === null && clock.now() >= highlightedUntil) highlighted.value = null;
    });
    const moment = {
      now: time(),
      zone: clinicZone.value,
      isOutdated: version.isOutdated(),
      lastCall: latestCall(queues.value ?? [])?.calledAt ?? null,
      isSaying: turns.isBusy(),
      isFresh: loss.value === 'fresh',
    };
    if (since !== null && isTimeToReload({ ...moment, since })) version.reload();
  };

  const tellTime = (headers: Headers): void => {
    const date = Date.parse(headers.get('Date') ?? '');
    if (Number.isNaN(date)) return;
    const told = date + Number(headers.get('Age') ?? 0) * 1000;
    // The header has whole seconds: a smaller difference is ignored.
    if (Math.abs(told - time()) > 2_000) ahead = told - clock.now();
  };

  const ask = async (signal: AbortSignal): Promise<void> => {
    // The browser sends its ETag, and returns the cached answer if nothing changed.
    const asked = open.v1.queues.$get({ query: {} }, { init: { cache: 'no-cache', signal } });
    const { data, meta } = await take(asked);
    const { headers } = await asked;
    const told = headers.get('ETag');
    const isChanged = told === null || told !== etag;
    etag = told;
    lastAnswer = clock.now();
    tellTime(headers);
    since ??= time();
    batch(() => {
      answeredAt.value = time();
      noteZone(meta.time_zone);
      if (isChanged) queues.value = chosen<Queue>(data, settings.queues);
    });
    tick();
    if (isChanged) turns.add(announcer(queues.value ?? [], time()));
    if (clock.now() - clinicAt > clinicEveryMs) await askClinic();
  };

  const askClinic = async (): Promise<void> => {
    clinicAt = clock.now();
    try {
      const { data } = await take(open.v1.clinic.$get());
      clinic.value = data.name;
      logo.value = data.logo;
    } catch {
      // A failure is ignored: the name and the logo are read again in an hour.
    }
  };

  const poll = createPoll({ clock, random: Math.random, ask });
  const again = (): void => {
    clock.after(tickMs, again);
    tick();
  };
  again();
  addEventListener('online', () => void poll.look());
  void poll.look();

  return { queues, clinic, logo, now, answeredAt, loss, saying, highlighted };
};

export type ScreenModel = ReturnType<typeof runScreen>;
