import type { LazyShape, OutputOf } from '../endpoint/lazy-shape.ts';

/** A setting that prevents the start; its message is the one line that names it and its allowed values. */
export class SettingError extends Error {}

/** Its shape is made when the setting is read: a Worker reads them at its first request. */
interface Setting {
  accepts: string;
  shape: LazyShape;
  otherwise: string | undefined;
}
type Table = Readonly<Record<string, Setting>>;

/** The parsed type of a table of settings: only a setting without a default can be missing. */
export type ValuesOf<T extends Table> = {
  -readonly [K in keyof T]:
    | OutputOf<T[K]['shape']>
    | (T[K]['otherwise'] extends undefined ? undefined : never);
};

/** Reads settings by a table of shapes; throws one SettingError with a line for each that is wrong. */
export const parseSettings = <T extends Table>(
  table: T,
  source: Readonly<Record<string, unknown>>,
): ValuesOf<T> => {
  const problems: string[] = [];
  const entries = Object.entries(table).map(([name, { accepts, shape, otherwise }]) => {
    // A number or a boolean is what wrangler.toml makes of a value without quotation marks.
    const text = String(source[name] ?? '').trim() || otherwise;
    if (text === undefined) return [name, undefined];
    const parsed = shape().safeParse(text);
    if (!parsed.success) problems.push(`${name} is not acceptable: it takes ${accepts}.`);
    return [name, parsed.data];
  });
  if (problems.length > 0) throw new SettingError(problems.join('\n'));
  // Each value was parsed by the shape of its own name; whatever was refused has thrown.
  return Object.fromEntries(entries) as ValuesOf<T>;
};
