import assert from 'node:assert/strict';
import { assertAccessible, assertReflows, assertStill } from '../support/checks.ts';
import { assertKeepsMeaning } from '../support/forced-colors.ts';
import { assertNames } from '../support/names.ts';
import { openPage, type Stage, shoot } from '../support/stage.ts';
import { pretend, queueOf } from './clinic.ts';
import { assertLegible } from './legible.ts';

export const sizes = {
  '1920': { width: 1920, height: 1080 },
  '1280': { width: 1280, height: 720 },
  '360': { width: 360, height: 740 },
} as const;

const noon = Date.parse('2026-12-01T02:41:20Z');
const minute = 60_000;
const ago = (ms: number) => noon - ms;

const five = () => [0, 1, 2, 3, 4].map((nth) => queueOf(nth, ago((nth + 3) * minute)));
const delayed = () => {
  const queues = five();
  const [, , , fourth] = queues;
  if (fourth !== undefined) Object.assign(fourth, { notice: { delay_minutes: 15 } });
  return queues;
};

/** The visible state: the queues, and how long the service has not answered. */
export const looks = {
  idle: { queues: () => [0, 1, 2].map((nth) => queueOf(nth, null)), silent: 0 },
  called: {
    queues: () => [...five().slice(0, 2), queueOf(2, ago(2_000), 12), ...delayed().slice(3)],
    silent: 0,
  },
  quiet: { queues: delayed, silent: 0 },
  three: { queues: () => [3, 4, 0].map((nth) => queueOf(nth, ago((nth + 3) * minute), 48)), silent: 0 },
  two: { queues: () => [queueOf(1, ago(4 * minute), 12), queueOf(2, ago(9 * minute))], silent: 0 },
  one: { queues: () => [queueOf(1, ago(4 * minute), 112)], silent: 0 },
  many: {
    queues: () => [0, 1, 2, 3, 4, 5, 6].map((nth) => queueOf(nth, ago((nth + 3) * minute))),
    silent: 0,
  },
  empty: { queues: () => [], silent: 0 },
  late: { queues: five, silent: 20_000 },
  old: { queues: five, silent: 6 * minute },
  lost: { queues: five, silent: 31 * minute },
} as const;
export type LookName = keyof typeof looks;

/** Opens the screen in one state, with the clock set for it. */
export const openLook = async (stage: Stage, name: LookName, language = 'id') => {
  const watched = await openPage(stage, { viewport: sizes['1920'], reducedMotion: 'reduce' });
  const { page } = watched;
  await page.clock.install({ time: noon });
  const look = looks[name];
  const state = await pretend(page, look.queues());
  await page.goto(`${stage.url}/layar/?antrean=semua&suara=mati&bahasa=${language}`);
  await page.locator('.age').waitFor();
  if (look.silent > 0) {
    state.isCut = true;
    await page.clock.fastForward(look.silent);
    await page.clock.runFor(2_000);
    await page.locator(`[data-loss="${name}"]`).waitFor();
  }
  await page.evaluate('document.fonts.ready');
  return watched;
};

/** Each state, size and theme: checked by axe, measured, stored as a picture. */
export const playLooks = async (stage: Stage): Promise<void> => {
  const choice = await openPage(stage, { viewport: sizes['1280'] });
  await pretend(choice.page, five());
  await choice.page.goto(`${stage.url}/layar/?atur=1`);
  await choice.page.locator('.choice').nth(5).waitFor();
  await assertNames(choice.page, 'layar', 'atur');
  await choice.close();
  for (const name of Object.keys(looks) as LookName[]) {
    const { page, close } = await openLook(stage, name);
    await assertNames(page, 'layar', name);
    await assertKeepsMeaning(page, `layar ${name}`);
    for (const [size, viewport] of Object.entries(sizes)) {
      await page.setViewportSize(viewport);
      if (viewport.width > viewport.height) await assertLegible(page, name, `layar ${name} ${size}`);
      await assertReflows(page, `layar ${name} ${size}`);
      await assertStill(page, `layar ${name} ${size}`);
      for (const look of ['gelap', 'terang']) {
        await page.evaluate(`document.documentElement.dataset.look = '${look}'`);
        await assertAccessible(page, `layar ${name} ${size} ${look}`);
        await shoot(stage, page, `layar-${name}-${size}-${look}`);
      }
    }
    await close();
  }
};

/** A picture of the screen with labels that are long. */
export const playLong = async (stage: Stage): Promise<void> => {
  const long = (nth: number, prefix: string, at: number) => {
    const label = (number: number) => `${prefix}-${number}`;
    const now = { label: label(at), called_at: new Date(ago(nth * minute)).toISOString(), call_count: 1 };
    const waiting = [1, 2].map((ahead) => ({ label: label(at + ahead), is_there: true }));
    return { ...queueOf(nth, null), prefix, now, calls: [now], waiting };
  };
  for (const queues of [
    [long(0, 'UM', 105), long(1, 'GIG', 118), long(2, 'A', 100), long(3, 'B', 9), long(4, 'ANK', 99)],
    [long(0, 'GIG', 118)],
    [long(0, 'A', 999), long(1, 'UM', 100), long(2, 'ANK', 888)],
  ]) {
    const watched = await openPage(stage, { viewport: sizes['1280'] });
    const { page } = watched;
    await page.clock.install({ time: noon });
    await pretend(page, queues);
    await page.goto(`${stage.url}/layar/?antrean=semua&suara=mati`);
    await page.locator('.age').waitFor();
    await page.evaluate('document.fonts.ready');
    await assertLegible(page, 'quiet', `layar, long labels in ${queues.length}`);
    await shoot(stage, page, `layar-long-${queues.length}`);
    await watched.close();
  }
  // A screen of 16:10, on which nobody waits: each row still says its room.
  const watched = await openPage(stage, { viewport: { width: 1280, height: 800 } });
  const { page } = watched;
  await page.clock.install({ time: noon });
  await pretend(
    page,
    [0, 1, 2, 3, 4].map((nth) => ({ ...queueOf(nth, null), waiting: [] })),
  );
  await page.goto(`${stage.url}/layar/?antrean=semua&suara=mati`);
  await page.locator('.nobody').nth(4).waitFor();
  await page.evaluate('document.fonts.ready');
  await shoot(stage, page, 'layar-nobody-800');
  const cut = await page.evaluate(
    `[...document.querySelectorAll('.place')].filter((each) => each.scrollHeight > each.clientHeight + 1).length`,
  );
  assert.equal(cut, 0, 'rooms that are cut');
  await watched.close();
};
