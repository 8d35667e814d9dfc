import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { all, files, type Import, imports, isLocal, texts } from './source.ts';

/** A file directly in src/ is a folder of its own. */
const folderOf = (file: string): string => (dirname(file) === '.' ? file : `${dirname(file)}/`);

const everyPlace: string[] = [];

/** A folder (`db/`), a file (`app.ts`), or every file whose name ends so (`*queries.ts`). */
const isIn = (file: string, place: string): boolean => {
  if (place.startsWith('*')) return file.endsWith(place.slice(1));
  return place.endsWith('/') ? file.startsWith(place) : file === place;
};

/** Whether a file is in one of these places, each of which has to hold something. */
const places = (...named: string[]) => {
  everyPlace.push(...named);
  return (file: string): boolean => named.some((place) => isIn(file, place));
};

const offences = (wrong: (i: Import) => boolean) =>
  imports.filter(wrong).map(({ from, to }) => `${from} → ${to}`);

const entries = places(
  'app.ts',
  'service.ts',
  'deployment.ts',
  'worker.ts',
  'worker-objects.ts',
  'runtime/worker/',
  'node.ts',
  'cli.ts',
  'janji.ts',
);
const onNode = places('runtime/node/', 'node.ts', 'cli.ts', 'janji.ts', 'core/db/embedded/', '*.node.ts');

const arrows = imports
  .filter((i) => isLocal(i) && folderOf(i.from) !== folderOf(i.to))
  .map(({ from, to }) => [folderOf(from), folderOf(to)] as const);

/** The modules that each folder imports. */
const next = new Map<string, Set<string>>();
for (const [from, to] of arrows) next.set(from, (next.get(from) ?? new Set()).add(to));

/** The shortest way from one folder to another, both named; null where there is none. */
const wayBetween = (from: string, to: string): string[] | null => {
  const ways = [[from]];
  const seen = new Set<string>();
  for (const way of ways)
    for (const folder of next.get(way.at(-1) ?? '') ?? []) {
      if (folder === to) return [...way, folder];
      if (!seen.has(folder)) ways.push([...way, folder]);
      seen.add(folder);
    }
  return null;
};

/** The description of src/ on the page about the architecture. */
const map = /^src\/\n([\s\S]*?)^client\//m.exec(readFileSync('docs/architecture.md', 'utf8'))?.[1] ?? '';

describe('folders', () => {
  it('were found, with what they import', () => {
    expect(files.length).toBeGreaterThan(200);
    expect(imports.length).toBeGreaterThan(1_000);
    expect(imports.filter(({ to }) => to.endsWith('.ts') && !texts.has(to))).toEqual([]);
  });

  it('import each other in no circle, types included', () => {
    const circles = [...next.keys()].flatMap((folder) => [wayBetween(folder, folder) ?? []]);
    const shortestFirst = circles.filter((way) => way.length > 0).sort((a, b) => a.length - b.length);
    expect(shortestFirst.map((way) => way.join(' → '))).toEqual([]);
  });

  it('are all named by the list in docs/architecture.md, and no other: a new folder takes a line there', () => {
    const way: string[] = [];
    const named = [...map.matchAll(/^( {2,})(\w+)\/ +\S/gm)].map(([, indent = '', name = '']) => {
      way.splice(indent.length / 2 - 1, way.length, name);
      return way.join('/');
    });
    const folders = new Set(all.map(dirname).filter((folder) => folder !== '.'));
    for (const parent of ['core', 'modules', 'runtime']) folders.add(parent);
    expect(named.sort()).toEqual([...folders].sort());
  });

  it('are below files that the map names too', () => {
    const named = [...map.matchAll(/^ {2}((?:[\w-]+\.ts )+) *\S/gm)].flatMap(([, names = '']) =>
      names.trim().split(' '),
    );
    expect(named.sort()).toEqual(files.filter((file) => dirname(file) === '.').sort());
  });
});

/** The first part of a path in src/: a folder, or a file beside it. */
const partOf = (file: string): string => file.split('/')[0] ?? file;

const partsBelow = new Map<string, Set<string>>();
for (const { from, to } of imports.filter(isLocal))
  if (partOf(from) !== partOf(to))
    partsBelow.set(partOf(from), (partsBelow.get(partOf(from)) ?? new Set()).add(partOf(to)));

/** How many parts lie below one another under this one, itself included; fails on a circle. */
const levelsFrom = (part: string, above: readonly string[] = []): number => {
  if (above.includes(part)) throw new Error(`A circle of parts: ${[...above, part].join(' → ')}`);
  const below = [...(partsBelow.get(part) ?? [])];
  return 1 + Math.max(0, ...below.map((one) => levelsFrom(one, [...above, part])));
};

describe('the parts of src/', () => {
  it('lie on at most eight levels, and in no circle, types included', () => {
    expect(Math.max(...[...partsBelow.keys()].map((part) => levelsFrom(part)))).toBeLessThanOrEqual(8);
  });
});

describe('packages', () => {
  it('node:* are imported only on the Node side, so that the Worker builds', () =>
    // The platform has it too, and an object asks by it which front hashes for a request.
    expect(
      offences(
        ({ from, to }) =>
          to.startsWith('node:') &&
          !onNode(from) &&
          !(to === 'node:async_hooks' && isIn(from, 'runtime/worker/objects/')),
      ),
    ).toEqual([]));

  it('drizzle is imported in queries, guards, effects, tables and the database', () => {
    const may = places(
      '*queries.ts',
      '*guards.ts',
      '*effects.ts',
      'core/tables/',
      'modules/clinics/tables.ts',
      'modules/operators/tables.ts',
      'core/db/',
      'runtime/node/',
    );
    const rowsOfTheirOwn = places('core/clinic/row.ts', 'modules/demo/demo.ts');
    const wrong = ({ from, to, isType }: Import) =>
      to.startsWith('drizzle-orm') && !isType && !may(from) && !rowsOfTheirOwn(from);
    expect(offences(wrong)).toEqual([]);
  });

  it('hono is imported in routes, http, the pipeline and the entries', () => {
    const may = places(
      '*routes.ts',
      'core/http/',
      'pipeline/',
      'interface/reference/root.ts',
      'runtime/node/',
    );
    // Its JWT and its base64url serve as they are.
    const helpers = places('modules/auth/tokens.ts', 'core/crypto/base64url.ts');
    const wrong = ({ from, to, isType }: Import) =>
      /^@?hono\b/.test(to) && !isType && !may(from) && !helpers(from) && !entries(from);
    expect(offences(wrong)).toEqual([]);
  });

  it('zod is imported in the one form that keeps the Worker small', () =>
    expect(offences(({ to }) => to === 'zod')).toEqual([]));
});

/** Files of one name, in every folder, and what they never import: their callers. */
const fileKinds: readonly [isKind: (file: string) => boolean, never: (file: string) => boolean][] = [
  [
    places('*queries.ts', '*guards.ts', '*effects.ts'),
    places(
      '*routes.ts',
      '*actions.ts',
      '*contract.ts',
      '*create.ts',
      '*change.ts',
      'core/deps.ts',
      'core/settings/config.ts',
    ),
  ],
  [
    places('*contract.ts'),
    places('*routes.ts', '*actions.ts', '*queries.ts', 'core/deps.ts', 'core/settings/config.ts'),
  ],
  [
    places('*views.ts', '*shapes.ts'),
    places('*routes.ts', '*actions.ts', '*queries.ts', 'core/settings/config.ts'),
  ],
];

describe('files by their names', () => {
  const rules = places('*rules.ts');

  it('import none that calls them', () => {
    const wrong = (i: Import) =>
      !i.isType && fileKinds.some(([isKind, never]) => isKind(i.from) && never(i.to));
    expect(offences(wrong)).toEqual([]);
  });

  it('of routes are imported only by the app, its list and other routes; the list only by the app and the reference, the app only by the entries', () => {
    const routes = places('*routes.ts');
    const list = places('interface/contracts.ts');
    const reference = places('interface/reference/document.ts');
    const wrong = ({ from, to }: Import) =>
      (routes(to) && !routes(from) && !entries(from) && !list(from)) ||
      (list(to) && !entries(from) && !reference(from)) ||
      (entries(to) && !entries(from));
    expect(offences(wrong)).toEqual([]);
  });

  it('named rules are free of packages, of the database and of the clock', () => {
    const pure = places('core/clinic/local-time.ts', 'core/clinic/durations.ts', 'core/tables/words.ts');
    expect(offences((i) => !i.isType && rules(i.from) && !rules(i.to) && !pure(i.to))).toEqual([]);
    const ambient = [...texts].filter(
      ([file, text]) => rules(file) && /Date\.now|new Date\(\)|Math\.random|process\.env/.test(text),
    );
    expect(ambient.map(([file]) => file)).toEqual([]);
  });

  it('named tables import only tables, the types of columns and the roles', () => {
    const tables = places('core/tables/');
    const known = places('core/db/columns.ts', 'core/endpoint/roles.ts');
    expect(offences((i) => isLocal(i) && tables(i.from) && !tables(i.to) && !known(i.to))).toEqual([]);
  });
});

/** The imports that a module may take from another one, except types. */
const modules: Readonly<Record<string, readonly string[]>> = {
  'modules/auth/': [],
  'modules/people/': ['modules/auth/', 'modules/catalog/slots/queries.ts'],
  'modules/catalog/': ['modules/auth/audit/'],
  // Bookings under a closure are canceled or moved like any booking.
  'modules/booking/': [
    'modules/auth/bearer.ts',
    'modules/auth/audit/',
    // Who guesses dates of birth at a kiosk is slowed down.
    'modules/auth/throttle/',
    // Secrets of calendars: hashed as tokens are, signed as what a client keeps for us.
    'modules/auth/refresh-token.ts',
    'modules/auth/factors/sealed-text.ts',
    // Anybody may hold a slot, a few at a time.
    'modules/auth/throttle/throttled.ts',
    // The calendars that an admin sees, and the causes of their end.
    'modules/auth/login/queries.ts',
    'modules/catalog/slots/',
    'modules/catalog/closures/',
    'modules/catalog/affected-queries.ts',
    'modules/catalog/shapes.ts',
    // What a session asks before the visit.
    'modules/catalog/fields/questions.ts',
    // The patients for whom an account may book.
    'modules/patients/record/queries.ts',
    // Visits of the past come in the steps of an import.
    'modules/patients/import/',
  ],
  // A person's file and deletion take in the account, the bookings, the waitlist and the notices.
  'modules/patients/': [
    'modules/auth/',
    'modules/booking/record/',
    'modules/booking/seats/offers.ts',
    'modules/booking/waitlist/contract.ts',
    'modules/catalog/slots/rules.ts',
    'modules/notices/contract.ts',
    'modules/notices/queries.ts',
    'modules/notices/views.ts',
  ],
  // A letter greets as the other mails do; a gateway takes a message as a receiver takes an event; an
  // offer's has links that answer it.
  'modules/notices/': [
    'modules/auth/audit/',
    'modules/auth/mail/',
    'modules/webhooks/delivery/rules.ts',
    'modules/booking/waitlist/link.ts',
    'modules/booking/confirming/link.ts',
  ],
  'modules/webhooks/': ['modules/auth/audit/'],
};

describe('modules', () => {
  const inModules = places(...Object.keys(modules));
  const aboveModules = places(
    'app.ts',
    'pipeline/',
    'interface/',
    'interface/reference/',
    'modules/health/',
    'jobs/',
    'runtime/node/',
  );

  it('of one module stay out of the others, but for what is named', () => {
    const wrong = Object.entries(modules).flatMap(([module, taken]) => {
      const own = places(module, ...taken);
      return offences((i) => !i.isType && i.from.startsWith(module) && inModules(i.to) && !own(i.to));
    });
    expect(wrong).toEqual([]);
  });

  it('of a module import nothing from above them, types included', () =>
    expect(offences((i) => inModules(i.from) && (aboveModules(i.to) || entries(i.to)))).toEqual([]));

  it('below the modules know none of them, types included', () => {
    const below = places(
      'core/http/',
      'core/idempotency/',
      'core/search/',
      'core/clinic/',
      'core/crypto/',
      'core/tables/',
      'core/db/',
      'core/endpoint/',
    );
    expect(offences((i) => below(i.from) && (inModules(i.to) || aboveModules(i.to)))).toEqual([]);
  });

  it('between app and auth: the pipeline knows no other module, and nobody but the app knows it', () => {
    const inside = places('pipeline/');
    const auth = places('modules/auth/');
    expect(offences((i) => inside(i.from) && inModules(i.to) && !auth(i.to))).toEqual([]);
    expect(offences((i) => inside(i.to) && !inside(i.from) && !entries(i.from))).toEqual([]);
  });

  it('that the Worker runs never reach the Node side', () =>
    expect(offences((i) => isLocal(i) && !i.isType && onNode(i.to) && !onNode(i.from))).toEqual([]));
});

describe('this test', () => {
  it('names files and folders that exist', () => {
    const empty = everyPlace.filter((place) => !files.some((file) => isIn(file, place)));
    expect(empty).toEqual([]);
  });
});
