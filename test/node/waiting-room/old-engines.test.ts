import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'acorn';
import { beforeAll, describe, expect, it } from 'vitest';
import { type BuiltFiles, builtFolder, builtList } from '../../../src/runtime/node/pages/built-files.ts';

// The engine of a television of 2019: Chromium 76. It supports neither newer syntax, nor newer functions, which no
// build adds.
const newerFunctions: Readonly<Record<string, RegExp>> = {
  'at()': /\.at\(-?\d/,
  'replaceAll()': /\.replaceAll\(/,
  'Object.hasOwn': /Object\.hasOwn\b/,
  'Array findLast': /\.findLast(Index)?\(/,
  'Array toSorted and such': /\.to(Sorted|Reversed|Spliced)\(/,
  'Object.groupBy': /(Object|Map)\.groupBy/,
  'Promise.any, withResolvers': /Promise\.(any|withResolvers)\b/,
  structuredClone: /\bstructuredClone\(/,
  randomUUID: /\.randomUUID\(/,
  'AbortSignal.timeout, any': /AbortSignal\.(timeout|any)\b/,
  WeakRef: /\bnew (WeakRef|FinalizationRegistry)\b/,
};
const newerStyles: Readonly<Record<string, RegExp>> = {
  layers: /@layer\b/,
  containers: /@container\b/,
  nesting: /&|\{[^{}]*\{[^{}]*\{[^{}]*\{/,
  'selectors of later engines': /:(has|is|where|focus-visible)\b/,
  'min, max, clamp': /[\s:(](min|max|clamp)\(/,
  inset: /[;{]inset(-|:)/,
  'gap of flex boxes': /[;{](row-|column-)?gap:/,
  'aspect-ratio': /[;{]aspect-ratio:/,
  'newer units': /\d(d|s|l)v[hw]\b/,
  'newer colours': /color-mix|oklch|\blab\(/,
};

const textOf = (path: string) => readFileSync(join(builtFolder, path), 'utf8');

describe('what is built for the waiting-room screen', () => {
  let scripts: string[] = [];
  let styles: string[] = [];
  beforeAll(async () => {
    const { buildWeb } = await import('../../../scripts/web.ts');
    await buildWeb();
    const files = JSON.parse(textOf(`/${builtList}`)) as BuiltFiles;
    const own = Object.keys(files).filter(
      (path) => /^\/(assets\/layar-|layar\/)/.test(path) && !files[path]?.isOld,
    );
    scripts = own.filter((path) => path.endsWith('.js'));
    styles = own.filter((path) => path.endsWith('.css'));
  });

  it('is there: a page, its words in English, a service worker, one sheet of styles', () => {
    expect(scripts.length).toBeGreaterThanOrEqual(3);
    expect(scripts).toContain('/layar/sw.js');
    expect(styles).toHaveLength(1);
  });

  it('is ES2019, and the service worker a classic script', () => {
    for (const path of scripts) {
      // Chrome 63 knew `import()` and 64 `import.meta`, before a standard did: the parser takes them from ES2020 on.
      const text = textOf(path)
        .replace(/\bimport\(/g, 'load(')
        .replace(/\bimport\.meta\b/g, 'meta');
      const sourceType = path.endsWith('/sw.js') ? 'script' : 'module';
      expect(() => parse(text, { ecmaVersion: 2019, sourceType }), path).not.toThrow();
    }
    expect(() => parse('a?.b', { ecmaVersion: 2019 })).toThrow();
  });

  it.each(Object.entries(newerFunctions))('calls nothing that came later: %s', (_, form) => {
    for (const path of scripts) expect(form.exec(textOf(path))?.[0], path).toBeUndefined();
  });

  it.each(Object.entries(newerStyles))('has flat styles: no %s', (_, form) => {
    for (const path of styles) expect(form.exec(textOf(path))?.[0], path).toBeUndefined();
  });

  it('weighs no more than 30 KiB of script, 8 of styles and 4 of page', async () => {
    const { gzipSync } = await import('node:zlib');
    const weigh = (paths: readonly string[]) =>
      paths.reduce((sum, path) => sum + gzipSync(textOf(path), { level: 9 }).length, 0) / 1024;
    const page = textOf('/layar/index.html');
    expect(weigh(scripts.filter((path) => page.includes(path)))).toBeLessThanOrEqual(30);
    expect(weigh(styles)).toBeLessThanOrEqual(8);
    expect(weigh(['/layar/index.html'])).toBeLessThanOrEqual(4);
  });
});
