import assert from 'node:assert/strict';
import { assertClean } from '../support/checks.ts';
import { deployBefore, isMarked, markPage, untilLoadedAnew, versionOf } from '../support/deployment.ts';
import { openPage, type Stage } from '../support/stage.ts';
import { pretend, queueOf } from './clinic.ts';
import { until } from './flows.ts';

const television = { width: 1280, height: 720 };
const minute = 60_000;
/** Three in the morning of the clinic that `pretend` is. */
const three = Date.parse('2026-12-01T20:00:00Z');

const openAt = async (stage: Stage, time: number, lastCall: number | null) => {
  const watched = await openPage(stage, { viewport: television });
  const { page } = watched;
  await page.clock.install({ time });
  const service = await pretend(page, [queueOf(0, lastCall)]);
  await page.goto(`${stage.url}/layar/?antrean=semua&suara=mati`);
  await page.locator('.rows').waitFor();
  await markPage(page);
  return { ...watched, service };
};

/** The page loads itself again at three, and is the same screen again; once, and not while somebody is called. */
export const playNight = async (stage: Stage): Promise<void> => {
  const quiet = await openAt(stage, three - 2 * minute, three - 60 * minute);
  await quiet.page.clock.runFor(2 * minute - 10_000);
  assert.ok(await isMarked(quiet.page), 'not before three');
  await untilLoadedAnew(quiet.page, 30_000);
  await quiet.page.locator('.rows').waitFor();
  await markPage(quiet.page);
  await quiet.page.clock.runFor(3 * minute);
  await quiet.page.waitForTimeout(1_500);
  assert.ok(await isMarked(quiet.page), 'once a night');
  await assertClean(quiet, stage.url);
  await quiet.close();

  const busy = await openAt(stage, three - 30_000, three - 40_000);
  await busy.page.clock.runFor(70_000);
  await busy.page.waitForTimeout(1_500);
  assert.ok(await isMarked(busy.page), 'somebody was called less than two minutes ago');
  await busy.page.clock.runFor(35_000);
  await untilLoadedAnew(busy.page, 30_000);
  await busy.close();
};

/** Without an answer the page stays as it is through the night, and is loaded again with the first answers. */
export const playNightWithoutService = async (stage: Stage): Promise<void> => {
  const { page, service, close } = await openAt(stage, three - minute, null);
  service.isCut = true;
  await page.clock.runFor(3 * minute);
  await page.locator('.cut').waitFor();
  await page.waitForTimeout(1_500);
  assert.ok(await isMarked(page), 'what would be loaded might not come');
  service.isCut = false;
  await page.evaluate(`dispatchEvent(new Event('online'))`);
  await untilLoadedAnew(page);
  await page.locator('.rows').waitFor();
  await close();
};

/** A screen that is loaded again without the service still shows the time of its clinic, here two hours ahead. */
export const playZone = async (stage: Stage): Promise<void> => {
  const { page, service, close } = await openAt(stage, Date.parse('2026-12-01T03:00:00Z'), null);
  service.zone = 'Asia/Jayapura';
  await page.clock.runFor(10_000);
  const clock = page.locator('.clock');
  await clock.filter({ hasText: '12.00' }).waitFor();
  service.isCut = true;
  await page.reload();
  await clock.filter({ hasText: '12.0' }).waitFor();
  await close();
};

/** A newer version is found within a quarter of an hour and taken while nobody is called, without a hand. */
export const playNewVersion = async (stage: Stage): Promise<void> => {
  const service = await deployBefore(stage.url);
  try {
    const watched = await openPage(stage, { viewport: television, serviceWorkers: 'allow' });
    const { page } = watched;
    await page.clock.install();
    // A letter that no queue has: nobody is called.
    await page.goto(`${service.url}/layar/?antrean=Z&suara=mati`);
    await page.locator('.age').waitFor();
    await until(page, 'navigator.serviceWorker.controller !== null');
    assert.equal(await versionOf(page), 1);
    await markPage(page);
    await page.clock.fastForward(16 * minute);
    await page.waitForTimeout(1_000);
    assert.ok(await isMarked(page), 'the same version is no reason');
    service.deploy();
    await page.clock.fastForward(16 * minute);
    await untilLoadedAnew(page);
    await page.locator('.age').waitFor();
    await until(page, 'navigator.serviceWorker.controller !== null');
    assert.equal(await versionOf(page), 2);
    await assertClean(watched, service.url);
    await watched.close();
  } finally {
    await service.stop();
  }
};
