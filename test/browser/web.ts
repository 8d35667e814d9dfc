// Plays the flows of the pages in a real browser, against both runtimes.
//   node test/browser/web.ts [--on node|workers] [--only pasien] [--name 'part of a name'] [--keep] [--side-by-side]
// With --keep what assistive technology is told of the screens is written to test/browser/names.
// With --side-by-side both runtimes are played at once, each in a browser of its own.
// Pictures go to BROWSER_SHOTS, or to a folder that it names.

import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { buildWeb } from '../../scripts/web.ts';
import { konsol } from './konsol/scenarios.ts';
import { layar } from './layar/scenarios.ts';
import { pasien } from './pasien/scenarios.ts';
import { startByScript } from './servers.ts';
import { settings } from './support/clinic.ts';
import { keepNames } from './support/names.ts';
import { launch, type Scenario, type Stage, shotsFolder } from './support/stage.ts';

const { values } = parseArgs({
  options: {
    on: { type: 'string' },
    only: { type: 'string' },
    name: { type: 'string' },
    keep: { type: 'boolean' },
    'side-by-side': { type: 'boolean' },
  },
});

if (values.keep) keepNames();

/** The console comes first: what the demo's day looks like there holds until ten o'clock in the clinic. */
const apps: Readonly<Record<string, readonly Scenario[]>> = { konsol, pasien, layar };
const named = new RegExp(values.name ?? '');
const chosen = Object.entries(apps).filter(([name]) => values.only === undefined || values.only === name);

const runtimes = [
  ['node', 'start'],
  ['workers', 'dev'],
] as const;

/** Scenarios with the same settings share a service. */
const byService = ({ settings }: Scenario): string => JSON.stringify(settings ?? {});

/** Plays a scenario and says how it went. */
const isPlayed = async (
  stage: Stage,
  name: string,
  play: Scenario['play'],
  ifNot: 'again' | 'FAIL',
): Promise<boolean> => {
  const began = Date.now();
  try {
    await play(stage);
    process.stdout.write(`ok    ${stage.runtime}  ${name}  ${((Date.now() - began) / 1000).toFixed(1)} s\n`);
    return true;
  } catch (error) {
    const why = error instanceof Error ? error.stack : error;
    process.stdout.write(`${ifNot} ${stage.runtime}  ${name}\n${why}\n`);
    return false;
  }
};

// A browser on a machine that others use misses a moment now and then: what fails twice has failed.
const failed: string[] = [];

/** Plays scenarios of one app that want the same settings, on a clinic of their own. */
const playTogether = async (
  browser: Browser,
  [runtime, script]: (typeof runtimes)[number],
  scenarios: readonly Scenario[],
): Promise<void> => {
  const served = await startByScript(script, { ...settings, ...scenarios[0]?.settings });
  const stage: Stage = { browser, url: served.url, runtime };
  try {
    for (const { name, play } of scenarios)
      if (!(await isPlayed(stage, name, play, 'again')) && !(await isPlayed(stage, name, play, 'FAIL')))
        failed.push(`${runtime}  ${name}`);
  } finally {
    await served.stop();
  }
};

const playOn = async (on: (typeof runtimes)[number]): Promise<void> => {
  const browser = await launch();
  try {
    for (const [app, all] of chosen) {
      const scenarios = all
        .map((scenario) => ({ ...scenario, name: `${app}: ${scenario.name}` }))
        .filter(({ name, isOfNode }) => named.test(name) && !(isOfNode && on[0] !== 'node'));
      for (const together of Object.values(Object.groupBy(scenarios, byService)))
        await playTogether(browser, on, together ?? []);
    }
  } finally {
    await browser.close();
  }
};

const wanted = runtimes.filter(([runtime]) => values.on === undefined || values.on === runtime);
if (values['side-by-side']) {
  // Both starts would build the pages, each into the same folder.
  await buildWeb();
  // One that does not start leaves the other to its end.
  const ended = await Promise.allSettled(wanted.map(playOn));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
} else for (const on of wanted) await playOn(on);

process.stdout.write(`Pictures: ${shotsFolder()}\n`);
if (failed.length > 0) process.stdout.write(`Failed:\n${failed.join('\n')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
