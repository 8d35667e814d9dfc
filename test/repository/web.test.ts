import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const apps = ['patient', 'console', 'waiting-room', 'operator', 'kiosk'];
const files = globSync('web/**/*.{ts,tsx,html,css}');
const texts = new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
const scripts = files.filter((file) => /\.tsx?$/.test(file));

const importForm =
  /^(?:import|export)\s+(type\s)?[^'"]*?from\s+'(\.[^']+)'|^import\s+'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'/gm;
const imports = scripts.flatMap((from) =>
  [...(texts.get(from) ?? '').matchAll(importForm)].map(([, type, named, bare, called]) => ({
    from,
    to: normalize(join(dirname(from), named ?? bare ?? called ?? '')),
    isType: type !== undefined,
  })),
);
const shown = (wrong: typeof imports) => wrong.map(({ from, to }) => `${from} → ${to}`);
const naming = (form: RegExp, except: readonly string[] = []) =>
  files.filter((file) => !except.includes(file) && form.test(texts.get(file) ?? ''));

describe('the programs in web/', () => {
  it('share what is in shared/, and know nothing of each other', () => {
    const wrong = imports.filter(({ from, to }) => {
      const own = apps.find((app) => from.startsWith(`web/${app}/`));
      const allowed = own === undefined ? ['web/shared/'] : ['web/shared/', `web/${own}/`];
      const isOfWeb = to.startsWith('web/');
      return isOfWeb && !allowed.some((place) => to.startsWith(place));
    });
    expect(shown(wrong)).toEqual([]);
    expect(imports.length).toBeGreaterThan(50);
  });

  it('keep the answers to different requests under different keys', () => {
    const requests = (code: string) => code.match(/\b(?:api|open)\.v1[^(]*\$\w+/g) ?? [];
    /** The requests that a function makes, or one of the same file that it calls. */
    const requestsIn = (text: string, body: string): string => {
      const names = requests(body).length > 0 ? [] : [...body.matchAll(/\b\w+\b/g)].map(([name]) => name);
      const called = names.map((name) => text.split(`const ${name} = `)[1]?.split('\n\n')[0] ?? '');
      return [...new Set([body, ...called].flatMap(requests))].sort().join(' ');
    };
    const kept = new Map<string, Set<string>>();
    for (const [file, text] of texts)
      for (const [, key = '', body = ''] of text.matchAll(
        /queryKey: (\[[^\]]*\]),\s*queryFn: (.*(?:\n {6,}.*)*)/g,
      )) {
        const name = `${file.split('/')[1]} ${key}`;
        kept.set(name, (kept.get(name) ?? new Set()).add(requestsIn(text, body)));
      }
    expect(kept.size).toBeGreaterThan(30);
    expect([...kept].filter(([, those]) => those.size > 1)).toEqual([]);
  });

  it('find the files that they load by a pattern', () => {
    const patterns = scripts.flatMap((from) =>
      [...(texts.get(from) ?? '').matchAll(/import\.meta\.glob\('([^']+)'/g)].map(([, pattern = '']) =>
        join(dirname(from), pattern),
      ),
    );
    expect(patterns.length).toBeGreaterThan(0);
    expect(patterns.filter((pattern) => globSync(pattern).length === 0)).toEqual([]);
  });

  it('take of the service what its contracts say, how phones and files of patients are read, what a limit of a session is, and no more', () => {
    const may =
      /^(client\/index\.ts$|src\/(.*contract|core\/(endpoint\/(errors|messages|field-sentences)|http\/csv|search\/phone-rules)|modules\/catalog\/slots\/limit-rules|modules\/patients\/import\/(reader|csv-rows|cell-rules|column-rules|date-rules)|modules\/booking\/import\/(cell-rules|column-rules))\.ts$)/;
    expect(shown(imports.filter(({ to }) => !to.startsWith('web/') && !may.test(to)))).toEqual([]);
  });

  it('are used by the service only as built files', () => {
    const served = globSync('src/**/*.ts').filter((file) =>
      /from '[^']*\/web\//.test(readFileSync(file, 'utf8')),
    );
    expect(served).toEqual([]);
  });

  it('ask for dates and hours in their own language: the browser would ask in its own', () => {
    expect(naming(/type=['"{]+(date|time|datetime-local|month|week)\b/)).toEqual([]);
  });

  it('never make markup of a string, nor style in HTML', () => {
    expect(
      naming(/dangerouslySetInnerHTML|\b(inner|outer)HTML\b|insertAdjacentHTML|document\.write/),
    ).toEqual([]);
    expect(
      files.filter((file) => file.endsWith('.html') && /<style|style=/.test(texts.get(file) ?? '')),
    ).toEqual([]);
  });

  it('keep language, theme, the paper of the desk’s slips and a logout without an answer, and nothing else, beyond the page that is open', () => {
    expect(naming(/\b(localStorage|sessionStorage)\b/, ['web/shared/preferences.ts'])).toEqual([]);
    expect(naming(/document\.cookie/)).toEqual([]);
  });

  it('move only where people have not asked for stillness', () => {
    const moving = [...texts].filter(([file, text]) => {
      if (!file.endsWith('.css')) return false;
      const still = text.replaceAll(/@media \(prefers-reduced-motion: no-preference\) \{[\s\S]*?\n\}/g, '');
      return /^\s*(animation|transition)[\w-]*:/m.test(still);
    });
    expect(moving.map(([file]) => file)).toEqual([]);
  });
});

describe('the words', () => {
  const wordFiles = files.filter((file) => /\/words\/(\w+\/)?(id|en)\.ts$/.test(file));
  const sentences = (file: string): string[] =>
    [...(texts.get(file) ?? '').matchAll(/'((?:[^'\\]|\\.)*)'|`([^`]*)`/g)].map(([, a, b]) =>
      (a ?? b ?? '').replaceAll(/\$\{[^}]*\}/g, ''),
    );

  it('are there in both languages for every program and every part', () => {
    const placesIn = (language: string) =>
      wordFiles.filter((file) => file.endsWith(`/${language}.ts`)).map((file) => dirname(file));
    expect(placesIn('id')).toEqual(placesIn('en'));
    expect(placesIn('id').length).toBeGreaterThan(apps.length + 6);
  });

  it('are each said somewhere', () => {
    const spoken = scripts.filter((file) => !wordFiles.includes(file)).map((file) => texts.get(file) ?? '');
    const source = spoken.join('\n');
    const files = wordFiles.filter((file) => /^web\/(patient|shared)\//.test(file));
    const unsaid = files.flatMap((file) =>
      [...(texts.get(file) ?? '').matchAll(/^ {2}(\w+):/gm)]
        .map(([, key = '']) => key)
        .filter((key) => !new RegExp(`\\.${key}\\b|'${key}'(?:[,;]| as const)`).test(source))
        .map((key) => `${file}: ${key}`),
    );
    expect(unsaid).toEqual([]);
  });

  it('of Indonesian are spelt as KBBI has them', () => {
    const wrong =
      /\b(antrian|silahkan|praktek|non-aktif|jadual|ijin|surel|email-nya|merubah|rubah|resiko|apotik|kwitansi|nomer|klik|di ubah|di batalkan)\b/i;
    const found = wordFiles
      .filter((file) => file.endsWith('id.ts'))
      .flatMap((file) => sentences(file).filter((text) => wrong.test(text)));
    expect(found).toEqual([]);
  });

  /** An address, or a key's scope, as programs have it between quotes. */
  const isOfMachines = (text: string): boolean => text.includes('/') || /^\w+:\w+$/.test(text);

  it('of Indonesian hold no English', () => {
    const english =
      /\b(the|your|please|booking|cancel|login|log in|logout|password|reschedule|queue|save|back|loading|error|refresh|online|offline|update|submit|search|time|date)\b/i;
    const found = wordFiles
      .filter((file) => file.endsWith('id.ts'))
      .flatMap((file) => sentences(file).filter((text) => !isOfMachines(text) && english.test(text)));
    expect(found).toEqual([]);
  });
});
