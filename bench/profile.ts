// Where the time of a route goes: Janji under load with node --cpu-prof, the functions, and the packages and files,
// with the most self time.
//   node bench/profile.ts [--figure profile|history|list|doctors|bookings|login] [--seconds 5] [--top 25] [--keep profile.cpuprofile]
//     [--flame flame.svg]

import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyDataset, makeDataset, startJanji } from './dataset.ts';
import { figures, shotsFor } from './figures.ts';
import { flameGraph, ownerOf, type Profile, placeOf } from './flame.ts';
import { measure } from './load.ts';
import { printTable } from './table.ts';
import { makeTokens } from './tokens.ts';

const { values } = parseArgs({
  options: {
    figure: { type: 'string', default: 'profile' },
    seconds: { type: 'string', default: '5' },
    top: { type: 'string', default: '25' },
    keep: { type: 'string' },
    flame: { type: 'string' },
  },
});
const figure = figures.find(({ name }) => name === values.figure);
if (figure === undefined) throw new Error(`There is no figure ${values.figure}.`);

const folder = mkdtempSync(join(tmpdir(), 'janji-bench-'));
const database = copyDataset(await makeDataset(folder), folder, 'janji');
const janji = await startJanji(database, ['--cpu-prof', `--cpu-prof-dir=${folder}`]);
const shot = await shotsFor(await makeTokens())(figure.name, 'janji', janji);
const { perSecond, cpuMicros } = await measure(janji, {
  connections: figure.connections,
  seconds: Number(values.seconds),
  shot,
});
await janji.stop();

const file = readdirSync(folder).find((name) => name.endsWith('.cpuprofile')) ?? '';
if (values.keep !== undefined) copyFileSync(join(folder, file), values.keep);
const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Profile;
const { nodes, samples, timeDeltas } = profile;
rmSync(folder, { recursive: true });

const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame)]));
const owners = new Map(nodes.map(({ id, callFrame }) => [id, ownerOf(callFrame)]));
const selfMicros = new Map<string, number>();
const byOwner = new Map<string, number>();
let busy = 0;
// The start, in which modules are read and compiled, is not the route's.
const loadFrom = timeDeltas.reduce((sum, micros) => sum + micros, 0) - Number(values.seconds) * 1e6;
let clock = 0;
samples.forEach((id, at) => {
  const place = places.get(id) ?? '';
  const micros = timeDeltas[at] ?? 0;
  clock += micros;
  if (clock < loadFrom || place.startsWith('(idle)')) return;
  busy += micros;
  selfMicros.set(place, (selfMicros.get(place) ?? 0) + micros);
  const owner = owners.get(id) ?? '';
  byOwner.set(owner, (byOwner.get(owner) ?? 0) + micros);
});
if (values.flame !== undefined)
  writeFileSync(
    values.flame,
    flameGraph(profile, loadFrom, `${figure.name}, ${figure.connections} connections`),
  );
const top = [...selfMicros].sort(([, a], [, b]) => b - a).slice(0, Number(values.top));
process.stdout.write(
  `${figure.name}: ${perSecond.toFixed(0)} requests/s, ${cpuMicros.toFixed(0)} µs CPU each\n`,
);
printTable(
  ['self time', 'function'],
  top.map(([place, micros]) => [`${((micros / busy) * 100).toFixed(1)} %`, place]),
);
printTable(
  ['self time', 'package, or file of ours'],
  [...byOwner]
    .sort(([, a], [, b]) => b - a)
    .slice(0, Number(values.top))
    .map(([owner, micros]) => [`${((micros / busy) * 100).toFixed(1)} %`, owner]),
);
