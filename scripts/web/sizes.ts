import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { builtFolder } from '../../src/runtime/node/pages/built-files.ts';
import { apps } from './config.ts';
import { type Loads, loadsList } from './loads.ts';

/**
 * The size limits of each page, gzipped, in KiB: before the first render, a part that is loaded later, all styles,
 * page.
 */
const budgets: Readonly<Record<string, { script: number; part: number; style: number; page: number }>> = {
  pasien: { script: 50, part: 14, style: 12, page: 4 },
  // The largest part is the first run, which has the forms of the whole set-up.
  konsol: { script: 75, part: 28, style: 18, page: 4 },
  operator: { script: 45, part: 14, style: 12, page: 4 },
  // A part is the reader of QR codes, where the browser has none.
  kios: { script: 40, part: 20, style: 12, page: 4 },
  layar: { script: 30, part: 30, style: 8, page: 4 },
};

const sizeOf = (path: string): number =>
  gzipSync(readFileSync(join(builtFolder, path)), { level: 9 }).length / 1024;
const sum = (paths: readonly string[]): number => paths.reduce((total, path) => total + sizeOf(path), 0);
const isStyle = (path: string): boolean => path.endsWith('.css');
const isScript = (path: string): boolean => path.endsWith('.js');

/** Prints what each page weighs, with all that is loaded later; false where one is over its budget. */
export const sizes = (): boolean => {
  const loads = JSON.parse(readFileSync(join(builtFolder, loadsList), 'utf8')) as Record<string, Loads>;
  let holds = true;
  const line = (app: string, what: string, size: number, budget: number): void => {
    const isOver = size > budget;
    if (isOver) holds = false;
    const figures = `${size.toFixed(1).padStart(6)} KiB of ${budget}`;
    process.stdout.write(`${app.padEnd(7)} ${what.padEnd(42)} ${figures}${isOver ? '  OVER' : ''}\n`);
  };
  for (const app of apps) {
    const [budget, built] = [budgets[app], loads[app]];
    if (budget === undefined || built === undefined) continue;
    const styles = new Set([built.first, ...Object.values(built.parts)].flat().filter(isStyle));
    line(app, 'page', sizeOf(`/${app}/index.html`), budget.page);
    line(app, 'script before first content', sum(built.first.filter(isScript)), budget.script);
    line(app, 'styles before first content', sum(built.first.filter(isStyle)), budget.style);
    line(app, 'styles, all', sum([...styles]), budget.style);
    for (const [name, files] of Object.entries(built.parts))
      line(app, name, sum(files.filter((file) => isStyle(file) || isScript(file))), budget.part);
  }
  return holds;
};
