import { createReadStream } from 'node:fs';
import Database from 'libsql';

const [quote, semicolon, newLine] = [39, 59, 10];
const maxAtOnce = 1 << 20;

/** Cuts a dump where a statement ends with its line: quotes are doubled inside of strings, so they come in pairs. */
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

/** Makes a database of a dump with its tables; SQLite itself reads the SQL. */
export const loadSql = async (file: string, path: string): Promise<void> => {
  const database = new Database(path, {});
  try {
    // A dump's tables stand in any order.
    database.exec('PRAGMA foreign_keys = OFF; PRAGMA synchronous = OFF');
    for await (const group of statementGroups(createReadStream(file, 'utf8')))
      database.exec(`BEGIN; ${group}\nCOMMIT;`);
  } finally {
    database.close();
  }
};
