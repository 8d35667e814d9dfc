// Plays the flows of the pages and of the reference in a real browser, against both runtimes. node test/browser/web.ts
// [--on node|workers] [--only pasien] [--name 'part of a name'] [--keep] [--beside file] [--chosen] With --keep the
// accessibility trees of the screens are written to test/browser/names. With --chosen the scenarios of chosen.ts are
// played, in one look: CI plays these with each commit. With --beside a second browser plays along once this
// file is there: the machine has capacity for it from then on. Pictures go to BROWSER_SHOTS, or to a folder that it
// names.

import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { chosen as chosenOnNode, chosenOnWorkers } from './chosen.ts';
import { konsol } from './console/scenarios.ts';
import { kios } from './kiosk/scenarios.ts';
import { operator } from './operator/scenarios.ts';
import { pasien } from './patient/scenarios.ts';
import { reference } from './reference/scenarios.ts';
import { startByScript } from './servers.ts';
import { launch } from './support/browser.ts';
import { settings } from './support/clinic.ts';
import { takeOneLook } from './support/looks.ts';
import { keepNames } from './support/names.ts';
import { type Scenario, type Stage, shotsFolder } from './support/stage.ts';
import { layar } from './waiting-room/scenarios.ts';

const { values } = parseArgs({
  options: {
    on: { type: 'string' },
    only: { type: 'string' },
    name: { type: 'string' },
    keep: { type: 'boolean' },
    beside: { type: 'string' },
    chosen: { type: 'boolean', default: false },
  },
});

if (values.keep) keepNames();

const apps: Readonly<Record<string, readonly Scenario[]>> = {
  konsol,
  pasien,
  layar,
  operator,
  kios,
  reference,
};
const named = new RegExp(values.name ?? '');
const chosen = Object.entries(apps).filter(([name]) => values.only === undefined || values.only === name);

const runtimes = [
  ['node', 'start'],
  ['workers', 'dev'],
] as const;

/** Scenarios with the same settings share a service; those that start their own have none. */
const byService = ({ settings, startsOwn }: Scenario, app: string): string =>
  JSON.stringify([settings ?? {}, startsOwn === true, app]);

/** What was open when a scenario failed, for the eyes; pages of scenarios that wait for the clock may be among it. */
const pictureWhatIsOpen = async ({ browser, runtime }: Stage, name: string): Promise<void> => {
  const pages = browser.contexts().flatMap((context) => context.pages());
  for (const [nth, page] of pages.entries()) {
    const path = `${shotsFolder()}/${runtime}/failed ${name.replaceAll('/', '-').slice(0, 80)} ${nth}.png`;
    await page.screenshot({ path }).catch(() => {});
  }
};

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
    await pictureWhatIsOpen(stage, name);
    const why = error instanceof Error ? error.stack : error;
    process.stdout.write(`${ifNot} ${stage.runtime}  ${name}\n${why}\n`);
    return false;
  }
};

// A browser on a shared machine is sometimes late: a scenario that fails twice has failed.
const failed: string[] = [];

/** Scenarios of one app that want the same settings: they are played on a clinic of their own. */
interface Round {
  on: (typeof runtimes)[number];
  scenarios: readonly Scenario[];
}

if (values.chosen) {
  const all = Object.entries(apps).flatMap(([app, list]) => list.map(({ name }) => `${app}: ${name}`));
  const unknown = [...chosenOnNode, ...chosenOnWorkers].filter((name) => !all.includes(name));
  if (unknown.length > 0)
    throw new Error(`chosen.ts names scenarios that do not exist: ${unknown.join(', ')}`);
  takeOneLook(0);
}

/** A service for so many: a second browser can take what the first has not begun. A start of wrangler takes longer. */
const longestRound = { node: 15, workers: 40 } as const;

const roundsOn = (on: Round['on']): Round[] => {
  const [runtime] = on;
  const longest = longestRound[runtime];
  const isChosen = (name: string): boolean =>
    !values.chosen || { node: chosenOnNode, workers: chosenOnWorkers }[runtime].includes(name);
  // The few that are chosen on Workers share a service, whatever their app: a start of wrangler takes longer than they do.
  const isShared = values.chosen && runtime === 'workers';
  const scenarios = chosen
    .flatMap(([app, all]) => all.map((scenario) => ({ ...scenario, app, name: `${app}: ${scenario.name}` })))
    .filter(({ name }) => named.test(name) && isChosen(name))
    .filter(({ isOfNode }) => runtime === 'node' || !isOfNode);
  const byRound = Object.groupBy(scenarios, (one) => byService(one, isShared ? '' : one.app));
  const rounds = Object.values(byRound).flatMap((each = []) =>
    Array.from({ length: Math.ceil(each.length / longest) }, (_, part) => ({
      on,
      scenarios: each.slice(part * longest, (part + 1) * longest),
    })),
  );
  // Scenarios that wait for the clock begin first, while there are others to play at the same time.
  const doesWait = ({ scenarios }: Round): boolean => scenarios.some(({ waits }) => waits);
  return [...rounds.filter(doesWait), ...rounds.filter((round) => !doesWait(round))];
};

/**
 * Plays a round except the scenarios that wait for the clock: these run beside the next round, and `rest` is their end.
 */
const playRound = async (
  browser: Browser,
  { on: [runtime, script], scenarios }: Round,
): Promise<{ rest: Promise<void> }> => {
  const [first] = scenarios;
  const served = first?.startsOwn ? null : await startByScript(script, { ...settings, ...first?.settings });
  const stage: Stage = { browser, url: served?.url ?? '', runtime };
  const playOne = async ({ name, play }: Scenario): Promise<void> => {
    if (!(await isPlayed(stage, name, play, 'again')) && !(await isPlayed(stage, name, play, 'FAIL')))
      failed.push(`${runtime}  ${name}`);
  };
  const stop = async (): Promise<void> => {
    await served?.stop();
    if (runtime === 'workers') isOnWorkers = false;
  };
  const waiting = scenarios.filter(({ waits }) => waits).map(playOne);
  for (const scenario of scenarios) if (!scenario.waits) await playOne(scenario);
  return { rest: Promise.all(waiting).then(stop) };
};

const [ofNode = [], ofWorkers = []] = runtimes.map((on) =>
  values.on === undefined || values.on === on[0] ? roundsOn(on) : [],
);

// Each start of wrangler writes the same build: one browser at a time plays on it.
let isOnWorkers = false;

const takeOfWorkers = (): Round | undefined => {
  const round = isOnWorkers ? undefined : ofWorkers.shift();
  isOnWorkers ||= round !== undefined;
  return round;
};

const playAll = async (take: () => Round | undefined): Promise<void> => {
  const browser = await launch();
  const rests: Promise<void>[] = [];
  try {
    while (ofNode.length + ofWorkers.length > 0) {
      const round = take();
      if (round === undefined) await sleep(1_000);
      else rests.push((await playRound(browser, round)).rest);
    }
    await Promise.all(rests);
  } finally {
    await browser.close();
  }
};

const playBeside = async (file: string): Promise<void> => {
  while (ofNode.length + ofWorkers.length > 0 && !existsSync(file)) await sleep(1_000);
  await playAll(() => takeOfWorkers() ?? ofNode.pop());
};

// Every start would build what is outdated, into the same folders; a service of a scenario's own is started without that.
await import('../../scripts/build.ts');
// A browser that does not start leaves the other to its end.
const ended = await Promise.allSettled([
  playAll(() => ofNode.shift() ?? takeOfWorkers()),
  ...(values.beside === undefined ? [] : [playBeside(values.beside)]),
]);

process.stdout.write(`Pictures: ${shotsFolder()}\n`);
if (failed.length > 0) process.stdout.write(`Failed:\n${failed.join('\n')}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
for (const each of ended) if (each.status === 'rejected') throw each.reason;
