import { createReadStream } from 'node:fs';
import Database from 'libsql';

const [quote, semicolon, newLine] = [39, 59, 10];
const maxAtOnce = 1 << 20;

/** Splits a dump at lines that end a statement: there, the number of quotes is even (in strings they are doubled). */
export async function* statementGroups(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let text = '';
  let at = 0;
  let end = 0;
  let inString = false;
  for await (const chunk of chunks) {
    text += chunk;
    for (; at < text.length; at++) {
      const letter = text.charCodeAt(at);
      if (letter === quote) inString = !inString;
      else if (letter === newLine && !inString && text.charCodeAt(at - 1) === semicolon) end = at + 1;
    }
    if (end > maxAtOnce) {
      yield text.slice(0, end);
      text = text.slice(end);
      at -= end;
      end = 0;
    }
  }
  if (inString) throw new Error('The dump ends in the middle of a statement.');
  yield text;
}

/** Creates a database from a dump that includes its tables; SQLite itself parses the SQL. */
export const loadSql = async (file: string, path: string): Promise<void> => {
  const database = new Database(path, {});
  try {
    // The tables of a dump come in any order.
    database.exec('PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF');
    for await (const group of statementGroups(createReadStream(file, 'utf8')))
      database.exec(`BEGIN; ${group}\nCOMMIT;`);
  } finally {
    database.close();
  }
};
