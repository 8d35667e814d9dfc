import { cpSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Plugin, rolldown } from 'rolldown';
import type { Edit, Mutant } from './edits.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The one file that finds the migrations, and what else lies in the package. */
const finder = 'src/runtime/node/package-folder.ts';

const edited = (text: string, { file, find, replace }: Edit): string => {
  const parts = text.split(find);
  if (parts.length !== 2)
    throw new Error(`${file} holds this text ${parts.length - 1} times, not once: ${find}`);
  return parts.join(replace);
};

/** Of the migrations the last one that holds the text is edited, since a table may be made again. */
const editMigrations = (folder: string, edit: Edit): void => {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'));
  const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');
  const name = names.toSorted().findLast((each) => textOf(each).includes(edit.find)) ?? names[0] ?? '';
  writeFileSync(join(folder, name), edited(textOf(name), edit));
};

/** Makes the edits, and lets each file find what lies beside it from where the program is written to. */
const editing = (folder: string, edits: readonly Edit[], made: Set<Edit>): Plugin => ({
  name: 'edits',
  load(path) {
    if (!path.startsWith(root) || path.includes('node_modules')) return null;
    const file = relative(root, path);
    let text = readFileSync(path, 'utf8');
    for (const edit of edits.filter((each) => each.file === file)) {
      text = edited(text, edit);
      made.add(edit);
    }
    const home = pathToFileURL(join(file === finder ? folder : root, file)).href;
    return text.replaceAll('import.meta.url', JSON.stringify(home));
  },
});

export interface Program {
  folder: string;
  path: string;
}

/**
 * Writes a stress, with the program under it and these edits in it, as one file to a folder of its own: one file starts
 * sooner than a thousand.
 */
export const programWith = async (stress: Mutant['stress'], edits: readonly Edit[]): Promise<Program> => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-mutant-'));
  for (const each of ['node_modules', 'src', 'package.json'])
    symlinkSync(join(root, each), join(folder, each));
  const migrations = join(folder, 'drizzle');
  cpSync(join(root, 'drizzle'), migrations, { recursive: true });
  const made = new Set<Edit>();
  for (const edit of edits.filter(({ file }) => file === 'drizzle')) {
    editMigrations(migrations, edit);
    made.add(edit);
  }
  const bundle = await rolldown({
    input: join(root, 'test/faults/mutations', `${stress}.ts`),
    platform: 'node',
    // Packages with native code.
    external: [/^@node-rs\//, /^libsql$/],
    plugins: [editing(folder, edits, made)],
    treeshake: false,
  });
  const path = join(folder, `${stress}.js`);
  await bundle.write({ file: path, format: 'es', codeSplitting: false });
  await bundle.close();
  const missing = edits.find((edit) => !made.has(edit));
  if (missing !== undefined) throw new Error(`${missing.file} is no part of the program.`);
  return { folder, path };
};
