// Plays the flows of the pages in a real browser, against both runtimes.
//   node test/browser/web.ts [--on node|workers] [--only pasien] [--name 'part of a name']
// Pictures go to BROWSER_SHOTS, or to a folder that it names.

import { parseArgs } from 'node:util';
import { konsol, settings as konsolSettings } from './konsol/scenarios.ts';
import { layar } from './layar/scenarios.ts';
import { pasien } from './pasien/scenarios.ts';
import { startByScript } from './servers.ts';
import { launch, type Scenario, type Stage, shotsFolder } from './support/stage.ts';

const { values } = parseArgs({
  options: { on: { type: 'string' }, only: { type: 'string' }, name: { type: 'string' } },
});

const apps: Readonly<Record<string, readonly Scenario[]>> = { pasien, konsol, layar };
const chosen = Object.entries(apps).filter(([name]) => values.only === undefined || values.only === name);
/** Each app is played on a clinic of its own; some want it to be another time of day there. */
const settings: Readonly<Record<string, Readonly<Record<string, string>>>> = { konsol: konsolSettings };

const runtimes = [
  ['node', 'start'],
  ['workers', 'dev'],
] as const;

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
const browser = await launch();
try {
  for (const [runtime, script] of runtimes) {
    if (values.on !== undefined && values.on !== runtime) continue;
    for (const [app, all] of chosen) {
      const scenarios = all
        .map((scenario) => ({ ...scenario, name: `${app}: ${scenario.name}` }))
        .filter(({ name }) => new RegExp(values.name ?? '').test(name));
      if (scenarios.length === 0) continue;
      const served = await startByScript(script, {
        RATE_LIMIT: 'off',
        MIN_NOTICE_MINUTES: '0',
        ...settings[app],
      });
      const stage: Stage = { browser, url: served.url, runtime };
      try {
        for (const { name, play, isOfNode } of scenarios) {
          if (isOfNode && runtime !== 'node') continue;
          if (!(await isPlayed(stage, name, play, 'again')) && !(await isPlayed(stage, name, play, 'FAIL')))
            failed.push(`${runtime}  ${name}`);
        }
      } finally {
        await served.stop();
      }
    }
  }
} finally {
  await browser.close();
}
process.stdout.write(`Pictures: ${shotsFolder()}\n`);
if (failed.length > 0) process.stdout.write(`Failed:\n${failed.join('\n')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
