import assert from 'node:assert/strict';
import { assertClean } from '../support/checks.ts';
import { bookFor, clinicDate, freeSlots, makePractice } from '../support/clinic.ts';
import { deployBefore, isMarked, markPage, untilLoadedAnew, versionOf } from '../support/deployment.ts';
import { assertAccessibleInAllLooks } from '../support/looks.ts';
import { call, newPatient } from '../support/people.ts';
import type { Scenario, Stage } from '../support/stage.ts';
import { confirmPath, openAs } from './steps.ts';

const newVersion = 'Versi baru tersedia.';

/** As when somebody turns to another app. */
const putAside = `
  Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));`;

/** A newer version takes over on request, or while the page is hidden; never over unsent input. */
const playTakeOver = async (stage: Stage): Promise<void> => {
  const person = await newPatient(stage.url);
  const practice = await makePractice(stage.url);
  const [slot] = await freeSlots(stage.url, practice, clinicDate(2));
  assert.ok(slot !== undefined);
  await bookFor(stage.url, person.token, practice, slot);
  const kirana = { name: 'Kirana Rahayu', relation: 'child', birth_date: '2019-04-23' };
  await call(stage.url, 'POST', '/v1/family', { token: person.token, body: kirana });
  const service = await deployBefore(stage.url);
  try {
    const watched = await openAs({ ...stage, url: service.url }, person, '', { serviceWorkers: 'allow' });
    const { page } = watched;
    await page.evaluate('navigator.serviceWorker.ready.then(() => true)');
    await page.reload();
    assert.equal(await versionOf(page), 1);
    const lookForNews = async (): Promise<void> => {
      service.deploy();
      await page.evaluate(
        'navigator.serviceWorker.getRegistration().then((found) => found.update()).then(() => true)',
      );
      await page.getByText(newVersion).waitFor();
    };

    await lookForNews();
    await markPage(page);
    await assertAccessibleInAllLooks(page, 'a new version');
    assert.equal(await versionOf(page), 1, 'it waits until it is asked');
    await page.getByRole('button', { name: 'Muat ulang' }).click();
    await untilLoadedAnew(page);
    await page.getByText(`dr. ${practice.name}`).first().waitFor();
    assert.equal(await versionOf(page), 2);
    assert.equal(await page.getByText(newVersion).count(), 0);

    await lookForNews();
    await page.getByRole('button', { name: 'Batalkan' }).click();
    await page.getByLabel(/Alasan/).fill('Sudah sembuh');
    await markPage(page);
    await page.evaluate(putAside);
    await page.waitForTimeout(1_000);
    assert.ok(await isMarked(page), 'what was typed is not thrown away');
    await page.getByRole('button', { name: 'Tidak, pertahankan' }).click();
    await page.evaluate(putAside);
    await untilLoadedAnew(page);
    await page.getByText(`dr. ${practice.name}`).first().waitFor();
    assert.equal(await versionOf(page), 3);

    await page.goto(`${service.url}/pasien/${confirmPath(practice, slot)}`);
    await lookForNews();
    await markPage(page);
    await page.getByLabel(/^Kirana Rahayu/).waitFor();
    await page.evaluate(putAside);
    await untilLoadedAnew(page);
    await page.getByLabel(/^Kirana Rahayu/).waitFor();
    assert.equal(await versionOf(page), 4, 'what the program has chosen is no reason to wait');
    await lookForNews();
    const child = page.getByLabel(/^Kirana Rahayu/);
    await child.check();
    await markPage(page);
    await page.evaluate(putAside);
    await page.waitForTimeout(1_000);
    assert.ok(await isMarked(page), 'for whom it is is not thrown away');
    await page.getByRole('link', { name: 'Ubah waktu' }).click();
    await page.getByRole('heading', { name: /^Jam praktik/ }).waitFor();
    await page.evaluate(putAside);
    await page.waitForTimeout(1_000);
    assert.ok(await isMarked(page), 'nor beside its screen');
    await page.goBack();
    assert.ok(await child.isChecked());
    await assertClean(watched, service.url);
    await watched.close();
  } finally {
    await service.stop();
  }
};

export const versionFlows: readonly Scenario[] = [
  {
    name: 'a new version takes over when asked to or unseen, and never over what was typed',
    play: playTakeOver,
  },
];
