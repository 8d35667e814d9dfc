import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type BuiltFiles, builtFolder } from '../../src/node/pages/built-files.ts';
import { apps } from './config.ts';

/** What each page may weigh at most, gzipped, in KiB: before it shows anything, a part that is loaded later, styles, page. */
const budgets: Readonly<Record<string, { script: number; part: number; style: number; page: number }>> = {
  pasien: { script: 45, part: 12, style: 12, page: 4 },
  konsol: { script: 75, part: 25, style: 18, page: 4 },
  layar: { script: 30, part: 30, style: 8, page: 4 },
};

const sizeOf = (path: string): number =>
  gzipSync(readFileSync(join(builtFolder, path)), { level: 9 }).length / 1024;

/** Prints what each page weighs; false where one is over its budget. */
export const sizes = (files: BuiltFiles): boolean => {
  let holds = true;
  const line = (app: string, what: string, size: number, budget: number): void => {
    const isOver = size > budget;
    if (isOver) holds = false;
    const figures = `${size.toFixed(1).padStart(6)} KiB of ${budget}`;
    process.stdout.write(`${app.padEnd(7)} ${what.padEnd(28)} ${figures}${isOver ? '  OVER' : ''}\n`);
  };
  for (const app of apps) {
    const budget = budgets[app];
    const page = `/${app}/index.html`;
    if (budget === undefined || !(page in files)) continue;
    const html = readFileSync(join(builtFolder, page), 'utf8');
    const own = Object.keys(files).filter(
      (path) => path.startsWith(`/assets/${app}-`) && !files[path]?.isOld,
    );
    const isFirst = (path: string): boolean => html.includes(path);
    const scripts = own.filter((path) => path.endsWith('.js'));
    const sum = (paths: string[]) => paths.reduce((total, path) => total + sizeOf(path), 0);
    line(app, 'page', sizeOf(page), budget.page);
    line(app, 'script before first content', sum(scripts.filter(isFirst)), budget.script);
    line(app, 'styles', sum(own.filter((path) => path.endsWith('.css'))), budget.style);
    for (const path of scripts.filter((one) => !isFirst(one)))
      line(app, path.replace(`/assets/${app}-`, ''), sizeOf(path), budget.part);
  }
  return holds;
};
