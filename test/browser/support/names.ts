import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';

const kept = fileURLToPath(new URL('../names', import.meta.url));
let isKeeping = false;

/** From now on, the names are written to the file instead of being compared. */
export const keepNames = (): void => {
  isKeeping = true;
};

const days = 'Senin|Selasa|Rabu|Kamis|Jumat|Sabtu|Minggu|Sen|Sel|Rab|Kam|Jum|Sab|Min';
const months =
  'Januari|Februari|Maret|April|Mei|Juni|Juli|Agustus|September|Oktober|November|Desember|Jan|Feb|Mar|Apr|Jun|Jul|Agu|Sep|Okt|Nov|Des';

/** Patients of the demo: who has which booking of the day depends on the hour. */
const people =
  'Darmo Suwito|Siti Rahayu|Agus Setiawan|Yuliana Kristanti|Rangga Pratama|Melati Anjani|Joko Susilo|Ningsih Wahyuni|Bima Putra|Nadia Putri|Hendra Wijaya';

/** Values that differ each time, with their placeholders. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/[\w.-]+@klinik\.example/g, 'EMAIL'],
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID'],
  [/\b(Ratna|Gigi) [0-9a-z]+\b/g, '$1'],
  [new RegExp(`\\b(Pasien Uji [0-9a-z]+|${people})\\b`, 'g'), 'PASIEN'],
  [/\bKode janji: [0-9A-Z]{8}\b/g, 'Kode janji: KODE'],
  [/\b(Kode\n\s*- definition: )"?[0-9A-Z]{8}\b"?/g, '$1KODE'],
  [/\b(?=[A-Z]*\d)[0-9A-Z]{8}\b/g, 'KODE'],
  [/\b(\d{4}-\d\d-\d\d|\d\d\/\d\d\/\d{4})\b/g, 'TANGGAL'],
  [new RegExp(`\\b(${days}),? \\d+ (${months})( \\d{4})?\\b`, 'g'), 'HARI'],
  [/\b(hari ini|besok|lusa)\b/g, 'HARI'],
  [new RegExp(`\\b(${days})\\b`, 'g'), 'HARI'],
  [new RegExp(`\\b(${months})\\b`, 'g'), 'BULAN'],
  [/\bAsia\/(Jakarta|Makassar|Jayapura)\b/g, 'Etc/ZONA'],
  [/\b\d\d\.\d\d( (GMT([+−-]\d+)?|WIB|WITA|WIT))?/g, 'JAM'],
  [/\bGMT([+−-]\d+)?/g, 'ZONA'],
  [/\b(WIB|WITA|WIT)\b/g, 'ZONA'],
  [/\b[A-Z]{1,3}-\d+/g, 'A-0'],
  [/\d+ jam( \d+ menit)?/g, '0 menit'],
  // The level of a heading is no number of the day.
  [/(?<!level=)\d+/g, '0'],
];

interface Node {
  text: string;
  children: Node[];
}

const treeOf = (lines: readonly string[]): Node => {
  const root: Node = { text: '', children: [] };
  const open: { depth: number; node: Node }[] = [{ depth: -1, node: root }];
  for (const line of lines) {
    const depth = line.length - line.trimStart().length;
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
    const node = { text: line.trim(), children: [] };
    open.at(-1)?.node.children.push(node);
    open.push({ depth, node });
  }
  return root;
};

/** What an item says, whether it is chosen or not. */
const saidBy = (lines: readonly string[]): string => lines.join().replaceAll(' [checked]', '');

/**
 * Similar items are listed once, the chosen one of them if there is one: their number depends on the day, and their
 * order on names that are told alike here.
 */
const linesOf = ({ text, children }: Node, depth: number): string[] => {
  const inner = children.map((child) => linesOf(child, depth + 1));
  const alike = Map.groupBy(inner, saidBy).values();
  const told = [...alike].map(
    (each) => each.find((lines) => lines.join() !== saidBy(lines)) ?? each[0] ?? [],
  );
  return [...(depth < 0 ? [] : [`${'  '.repeat(depth)}${text}`]), ...told.flat()];
};

/** The accessibility tree of a page, without values that differ each time. */
export const namesOf = async (page: Page): Promise<string> => {
  const told = await page.locator('body').ariaSnapshot();
  const plain = changing.reduce((text, [form, word]) => text.replaceAll(form, word), told);
  return `${linesOf(treeOf(plain.split('\n').filter((line) => line.trim() !== '')), -1).join('\n')}\n`;
};

/** Compares a screen's roles, names and order with its stored file in test/browser/names. */
export const assertNames = async (page: Page, app: string, screen: string): Promise<void> => {
  const path = `${kept}/${app}/${screen}.yml`;
  const seen = await namesOf(page);
  if (isKeeping) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, seen);
    return;
  }
  const before = readFileSync(path, 'utf8');
  const hint = `The names of ${app}/${screen} are others; if that is meant: npm run test:browser -- --on node --only ${app} --name 'names|every state' --keep`;
  assert.equal(seen, before, hint);
};
