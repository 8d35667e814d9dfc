import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withScopes } from '../../scripts/documents/scopes.ts';
import { scopes } from '../../src/core/endpoint/endpoint.ts';
import { sharedSettings } from '../../src/core/settings/config.ts';
import { name, version } from '../../src/interface/reference/package.ts';
import { afterMove } from '../../src/modules/booking/record/after-move.ts';
import { type BookingState, transitions } from '../../src/modules/booking/record/rules.ts';
import { afterVerb } from '../../src/modules/booking/record/visit-rules.ts';
import { isNodeNewEnough, minNodeVersion } from '../../src/runtime/node/node-version.ts';
import { parseAllSettings } from '../../src/runtime/node/settings.ts';

const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')];
const textOf = (path: string) => readFileSync(path, 'utf8');
const withoutCode = (text: string) => text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, '');

/** The anchors of a document's headings, as GitHub makes them. */
const anchorsOf = (text: string): string[] =>
  [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const linksOf = (path: string): string[] =>
  [...withoutCode(textOf(path)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);

const isBroken = (path: string, target: string): boolean => {
  if (/^https:\/\//.test(target)) return false;
  const [file = '', anchor] = target.split('#');
  const named = file === '' ? path : join(dirname(path), file);
  if (!existsSync(named)) return true;
  return anchor !== undefined && !anchorsOf(textOf(named)).includes(anchor);
};

describe('the documents', () => {
  it('link to files and headings that exist', () => {
    const links = documents.flatMap((path) => linksOf(path).map((target) => [path, target] as const));
    expect(links.length).toBeGreaterThan(20);
    expect(links.filter(([path, target]) => isBroken(path, target))).toEqual([]);
  });

  it('name files of the repository that exist', () => {
    const named = documents.flatMap((path) =>
      [...textOf(path).matchAll(/`((?:src|test|scripts|bench)\/[\w./-]*\w)`/g)].map(([, file = '']) => file),
    );
    expect(named.length).toBeGreaterThan(10);
    expect(named.filter((file) => !existsSync(file))).toEqual([]);
  });

  it('name files by names that exist, also where the folder is left out', () => {
    const files = globSync('{src,test,scripts,bench,client,web}/**/*.{ts,tsx}', {
      exclude: ['**/node_modules'],
    });
    const names = documents.flatMap((path) =>
      [...textOf(path).matchAll(/`([\w.-]+(?:\/[\w.-]+)*\.ts)`/g)].map(([, name = '']) => name),
    );
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
  });

  it('call a file that they link to by its own name', () => {
    const called = documents.flatMap((path) => [...textOf(path).matchAll(/\[([\w./-]+\.ts)\]\(([^)]+)\)/g)]);
    expect(called.length).toBeGreaterThan(10);
    expect(called.filter(([, name = '', file = '']) => !file.endsWith(name)).map(([link]) => link)).toEqual(
      [],
    );
  });

  it('name npm scripts that exist', () => {
    const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
    const named = documents.flatMap((path) =>
      [...textOf(path).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, script = '']) => script),
    );
    const inBench = JSON.parse(textOf('bench/package.json')) as { scripts: Record<string, string> };
    expect(named.filter((script) => !(script in scripts || script in inBench.scripts))).toEqual([]);
  });

  it('and the program call the package by its name and version', () => {
    const about = JSON.parse(textOf('package.json')) as { name: string; version: string };
    expect({ name, version }).toEqual({ name: about.name, version: about.version });
  });

  it('require the Node version of package.json, which runs the sources directly', () => {
    const { engines } = JSON.parse(textOf('package.json')) as { engines: { node: string } };
    const asked = documents.flatMap((path) =>
      [...textOf(path).matchAll(/Node (\d+\.\d+) or newer/g)].map(([, version]) => `>=${version}`),
    );
    expect(asked.length).toBeGreaterThan(2);
    expect(new Set(asked)).toEqual(new Set([engines.node]));
    // Before 22.18 node refuses a .ts file without a flag.
    expect(engines.node).toBe('>=22.18');
    expect(`>=${minNodeVersion.join('.')}`).toBe(engines.node);
    expect(['20.20.2', '22.17.1', '22.18.0', '24.0.0'].map(isNodeNewEnough)).toEqual([
      false,
      false,
      true,
      true,
    ]);
    // An older Node does not have all of these names, and would end before it is told that it is too old.
    expect(textOf('src/janji.ts')).not.toMatch(/import \{[^}]*\} from 'node:/);
  });

  it('list every setting, with its runtime, and no other', () => {
    const [table = ''] = textOf('docs/settings.md').split('\n## ');
    const listed = [...table.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+)( \(Node\))? \|/gm)].flatMap(
      ([, names = '', node = '']) => [...names.matchAll(/[A-Z_]+/g)].map(([name]) => `${name}${node}`),
    );
    const known = Object.keys(parseAllSettings({})).map((name) =>
      name in sharedSettings ? name : `${name} (Node)`,
    );
    expect(known.length).toBeGreaterThan(20);
    expect(listed.sort()).toEqual(known.sort());
  });

  it('list what each scope of an API key reaches, as the contracts say', () => {
    const page = textOf('docs/integrating.md');
    const rows = [...page.matchAll(/^\| `(\w+:\w+)` \| (.+) \|$/gm)];
    expect(rows.map(([, scope]) => scope)).toEqual([...scopes]);
    expect(page, '`npm run draw` writes the table of docs/integrating.md').toBe(withScopes(page));
  });

  it('draw each step of a booking that the rules know, and no other', () => {
    const drawn = [...textOf('docs/bookings.md').matchAll(/^ {2}(\w+) --> (\w+): ([\w-]+) \((\w+)\)$/gm)].map(
      ([, from, to, verb, by]) => `${from} ${to} ${verb} ${by}`,
    );
    const booking = { callCount: 0 } as BookingState;
    const known = transitions.flatMap(({ verb, by, from }) =>
      from.map((status) => {
        const role = by === 'clinic' ? 'staff' : by;
        const after =
          verb === 'reschedule'
            ? afterMove(by, booking, { scheduleDate: '', approval: 'manual' }, 0)
            : afterVerb(verb, booking, { party: by, role }, 0, null);
        return `${status} ${after.status ?? status} ${verb} ${by}`;
      }),
    );
    expect(drawn.sort()).toEqual(known.sort());
  });
});
