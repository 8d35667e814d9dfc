import assert from 'node:assert/strict';
import { assertAccessible, assertClean } from '../support/checks.ts';
import { openPage, type Scenario } from '../support/stage.ts';
import { playCalls, playLoss, playOffline, playSetup } from './flows.ts';
import { playLong, playLooks } from './looks.ts';
import { playNewVersion, playNight, playNightWithoutService, playZone } from './night.ts';
import { playDay } from './soak.ts';

/** Scenarios that answer for the service themselves: they need no second runtime. */
const onceOnly = (scenarios: readonly Scenario[]): Scenario[] =>
  scenarios.map((scenario) => ({ ...scenario, isOfNode: true }));

export const layar: readonly Scenario[] = [
  {
    name: 'opens under the policy',
    play: async (stage) => {
      const watched = await openPage(stage, { serviceWorkers: 'allow' });
      const { page } = watched;
      const opened = await page.goto(`${stage.url}/layar/`);
      const policy = opened?.headers()['content-security-policy'] ?? '';
      assert.match(policy, /require-trusted-types-for 'script'; trusted-types janji/);
      await page.locator('h1').waitFor();
      await assertAccessible(page, 'layar');
      await assertClean(watched, stage.url);
      await watched.close();
    },
  },
  { name: 'is set up without a login, and started by one press', play: playSetup },
  { name: 'says each call of the desk within four seconds, once', play: playCalls, waits: true },
  { name: 'says that the network is lost, and what was called meanwhile', play: playLoss },
  { name: 'loads without a network', play: playOffline, waits: true },
  { name: 'takes a new version by itself while nobody is called', play: playNewVersion },
  ...onceOnly([
    {
      name: 'loads itself anew at three, once, and not while somebody is called',
      play: playNight,
      waits: true,
    },
    { name: 'stays through a night without the service', play: playNightWithoutService },
    { name: 'keeps the time of its clinic where it is loaded anew without the service', play: playZone },
    { name: 'can be read in every state, size and theme', play: playLooks },
    { name: 'shows long labels whole', play: playLong },
    { name: 'runs a day of 5,000 calls in the same memory', play: playDay },
  ]),
];
