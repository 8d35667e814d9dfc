import { assertClean, untilHolds } from '../support/checks.ts';
import type { Scenario } from '../support/stage.ts';
import { enter } from './steps.ts';

/** Pages that cannot be loaded or drawn. */
export const parts: readonly Scenario[] = [
  {
    name: 'a page that did not load comes with the connection, the next visit or a press',
    play: async (stage) => {
      const watched = await enter(stage);
      const { page, context } = watched;
      const failed = page.getByRole('heading', { name: /^Terjadi kesalahan/ });
      const go = (name: string) => page.getByRole('link', { name, exact: true }).click();
      const isAt = (name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
      const isStyled = `[...document.styleSheets].some(({ href }) => href?.includes('Queue'))`;

      await context.setOffline(true);
      await go('Antrean');
      await failed.waitFor();
      await go('Hari ini');
      await failed.waitFor({ state: 'detached' });
      await context.setOffline(false);
      await go('Antrean');
      await isAt('Antrean');
      await untilHolds(page, isStyled);

      await context.setOffline(true);
      await go('Pasien');
      await failed.waitFor();
      // The browser says that it is connected a moment before it is.
      await page.route('**/konsol-Search-*.js', (route) => route.abort(), { times: 1 });
      await context.setOffline(false);
      await isAt('Pasien');

      // Each try of it: the page tries again by itself.
      await page.route('**/konsol-Doctors-*.js', (route) => route.abort());
      await go('Dokter');
      await failed.waitFor();
      await page.getByRole('button', { name: 'Muat ulang' }).click();
      await page.unroute('**/konsol-Doctors-*.js');
      await isAt('Dokter');
      await assertClean(watched, stage.url, [/ERR_INTERNET_DISCONNECTED|ERR_FAILED/]);
      await watched.close();
    },
  },
];
