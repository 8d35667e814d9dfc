import { mkdirSync, mkdtempSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { consoleLogger } from '../../../src/core/log.ts';
import { readerOfBuilt, warnOfUnbuilt } from '../../../src/runtime/node/pages/built-files.ts';

const built = () => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-built-'));
  mkdirSync(join(folder, 'pasien'));
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const list = (hash: string, at: number) => {
    const file = { contentType: 'text/html; charset=utf-8', hash, packed: true, size: 4 };
    write('files.json', JSON.stringify({ '/pasien/index.html': file }));
    utimesSync(join(folder, 'files.json'), at, at);
  };
  write('pasien/index.html', 'satu');
  write('pasien/index.html.br', 'satu br');
  write('pasien/index.html.gz', 'satu gz');
  write('rahasia.txt', 'rahasia');
  return { folder, write, list };
};
const textOf = (file: { content: unknown } | null) =>
  file && new TextDecoder().decode(file.content as Uint8Array);

it('gives what the list names, as the client takes it, each form under a tag of its own', async () => {
  const { folder, list } = built();
  list('abc', 1_000);
  const read = readerOfBuilt(folder);
  const plain = await read('/pasien/index.html', '');
  const packed = await read('/pasien/index.html', 'gzip, br');
  expect([textOf(plain), plain?.etag, plain?.encoding]).toEqual(['satu', '"abc"', undefined]);
  expect([textOf(packed), packed?.etag, packed?.encoding]).toEqual(['satu br', '"abc-br"', 'br']);
  expect(textOf(await read('/pasien/index.html', 'gzip'))).toBe('satu gz');
});

it('gives nothing that the list does not name, and nothing at all before a build', async () => {
  const { folder, list } = built();
  const read = readerOfBuilt(folder);
  expect(await read('/pasien/index.html', '')).toBeNull();
  list('abc', 1_000);
  for (const path of [
    '/rahasia.txt',
    '/files.json',
    '/pasien/../rahasia.txt',
    '/pasien/index.html.br',
    '/__proto__',
  ])
    expect(await read(path, '')).toBeNull();
});

it('reads a new build while the server runs', async () => {
  const { folder, write, list } = built();
  list('abc', 1_000);
  const read = readerOfBuilt(folder);
  expect(textOf(await read('/pasien/index.html', ''))).toBe('satu');
  write('pasien/index.html', 'dua');
  list('def', 2_000);
  expect(textOf(await read('/pasien/index.html', ''))).toBe('dua');
});

it('warns at the start while there are no pages, and says what makes them', () => {
  const { folder, list } = built();
  const warnings: string[] = [];
  const log = { ...consoleLogger('silent'), warn: (text: string) => void warnings.push(text) };
  warnOfUnbuilt(log, folder);
  expect(warnings).toEqual([expect.stringContaining('npm run build')]);
  list('abc', 1_000);
  warnOfUnbuilt(log, folder);
  expect(warnings).toHaveLength(1);
});
