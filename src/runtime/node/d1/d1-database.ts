import type { Db } from '../../../core/db/db.ts';
import { openProxy } from '../../../core/db/remote/proxy.ts';
import { readsOnly } from '../../../core/db/transient.ts';
import { literal } from './sql-text.ts';
import { askD1, type D1Place, executeOnD1 } from './wrangler.ts';

interface Query {
  sql: string;
  params: unknown[];
}

const quotedOrParameter = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g;

/** A statement with its values as literals in the text. */
const inlined = ({ sql, params }: Query): string => {
  const values = params.values();
  const text = sql.replaceAll(quotedOrParameter, (found) =>
    found === '?' ? literal(values.next().value) : found,
  );
  return `${text};`;
};

/**
 * D1 as a database for the command line; each batch is one run of wrangler. A batch that writes returns no rows, because
 * wrangler returns none for files on the deployed D1.
 */
export const openD1ByWrangler = (place: D1Place): Db => {
  const batch = async (queries: readonly Query[]): Promise<{ rows: unknown[][] }[]> => {
    const texts = queries.map(inlined);
    if (queries.every(({ sql }) => readsOnly(sql))) {
      const answered = askD1(texts, place);
      if (answered === null) throw new Error('D1 could not be read.');
      return answered.map(({ results }) => ({ rows: results.map(Object.values) }));
    }
    await executeOnD1(place, texts);
    return queries.map(() => ({ rows: [] }));
  };
  const alone = async (sql: string, params: unknown[]) => (await batch([{ sql, params }]))[0] ?? { rows: [] };
  return openProxy(alone, batch);
};
