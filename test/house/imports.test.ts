import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../../src', import.meta.url));

interface Import {
  from: string;
  to: string;
  isType: boolean;
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory()
      ? filesBelow(join(folder, entry.name))
      : entry.name.endsWith('.ts')
        ? [join(folder, entry.name)]
        : [],
  );

const importForm = /^(?:import|export)\s+(type\s)?[^'"]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm;

const importsOf = (file: string): Import[] =>
  [...readFileSync(file, 'utf8').matchAll(importForm)].map(([, type, named, bare]) => {
    const specifier = named ?? bare ?? '';
    const to = specifier.startsWith('.')
      ? relative(source, normalize(join(dirname(file), specifier)))
      : specifier;
    return { from: relative(source, file), to, isType: type !== undefined };
  });

const imports = filesBelow(source).flatMap(importsOf);
const isLocal = ({ to }: Import) => to.endsWith('.ts');
const isNodeSide = (file: string) =>
  file === 'node.ts' ||
  file === 'cli.ts' ||
  file.startsWith('node/') ||
  file.startsWith('db/embedded/') ||
  /\.node\.ts$/.test(file);

const offences = (wrong: (i: Import) => boolean) =>
  imports.filter(wrong).map(({ from, to }) => `${from} → ${to}`);

/** What each kind of file, by its name, may never import: whatever stands nearer to the street. */
const streetwards: readonly [kind: RegExp, never: RegExp][] = [
  [/tables\.ts$/, /(?<!tables|columns)\.ts$/],
  [/(queries|guards|effects)\.ts$/, /(^|\/)(routes|actions|create|cancel|app|deps|config)\.ts$/],
  [/contract\.ts$/, /(routes|actions|queries|tables|deps|app)\.ts$/],
  [/^(?!app\.ts|node\.ts|worker\.ts|cli\.ts|node\/)/, /routes\.ts$|^app\.ts$|^(node|worker|cli)\.ts$/],
];

describe('imports point one way', () => {
  it('found the imports at all', () => expect(imports.length).toBeGreaterThan(100));

  it('keeps node:* on the Node side, so that the Worker builds', () =>
    expect(offences(({ from, to }) => to.startsWith('node:') && !isNodeSide(from))).toEqual([]));

  it('lets nothing that the Worker runs reach the Node side', () =>
    expect(offences((i) => isLocal(i) && isNodeSide(i.to) && !isNodeSide(i.from) && !i.isType)).toEqual([]));

  it('keeps drizzle in queries, tables, effects, guards and the database', () => {
    const may = /(queries|tables|guards|effects)\.ts$|^db\/|^node\/|^(worker|demo|clinic-row)\.ts$/;
    expect(
      offences(({ from, to, isType }) => to.startsWith('drizzle-orm') && !isType && !may.test(from)),
    ).toEqual([]);
  });

  it('keeps hono in the routes, http, the pipeline and the entries', () => {
    const may =
      /routes\.ts$|^(http|pipeline)\/|^node\/|^(app|client|worker|node|encoding)\.ts$|^auth\/tokens\.ts$/;
    expect(offences(({ from, to, isType }) => /^@?hono/.test(to) && !isType && !may.test(from))).toEqual([]);
  });

  it('keeps rules free of packages, of the database and of the clock', () => {
    const wrong = ({ from, to, isType }: Import) =>
      from.endsWith('rules.ts') && !isType && !/rules\.ts$|local-time\.ts$/.test(to);
    expect(offences(wrong)).toEqual([]);
    const ambient = filesBelow(source).filter(
      (file) =>
        file.endsWith('rules.ts') && /Date\.now|new Date\(\)|process\.env/.test(readFileSync(file, 'utf8')),
    );
    expect(ambient).toEqual([]);
  });

  it('keeps http a leaf that knows neither a wing nor the pipeline, types included', () => {
    const above = /^(auth|booking|people|health|pipeline)\//;
    expect(offences(({ from, to }) => from.startsWith('http/') && above.test(to))).toEqual([]);
  });

  it('puts the pipeline above auth and under the app: it knows no booking, and nobody else knows it', () => {
    const inside = (file: string) => file.startsWith('pipeline/');
    expect(offences(({ from, to }) => inside(from) && /^(booking|people|health)\//.test(to))).toEqual([]);
    expect(offences(({ from, to }) => inside(to) && !inside(from) && from !== 'app.ts')).toEqual([]);
  });

  it('lets no door import one nearer to the street', () => {
    const wrong = (i: Import) =>
      isLocal(i) && !i.isType && streetwards.some(([kind, never]) => kind.test(i.from) && never.test(i.to));
    expect(offences(wrong)).toEqual([]);
  });

  it('keeps the wings apart from each other but for tables and queries', () => {
    const wing = (file: string) => /^(auth|booking)\//.exec(file)?.[1];
    const wrong = (i: Import) =>
      isLocal(i) &&
      !i.isType &&
      wing(i.from) !== undefined &&
      wing(i.to) !== undefined &&
      wing(i.from) !== wing(i.to) &&
      !/(tables|queries)\.ts$/.test(i.to);
    expect(offences(wrong)).toEqual([]);
  });

  it('has no cycle', () => {
    const next = new Map<string, string[]>();
    for (const i of imports)
      if (isLocal(i) && !i.isType) next.set(i.from, [...(next.get(i.from) ?? []), i.to]);
    const done = new Set<string>();
    const cycles: string[] = [];
    const walk = (file: string, trail: readonly string[]): void => {
      if (trail.includes(file)) cycles.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
      if (done.has(file) || trail.includes(file)) return;
      for (const to of next.get(file) ?? []) walk(to, [...trail, file]);
      done.add(file);
    };
    for (const file of next.keys()) walk(file, []);
    expect(cycles).toEqual([]);
  });

  it('imports zod in the one form that keeps the Worker small', () =>
    expect(offences(({ to }) => to === 'zod')).toEqual([]));
});
