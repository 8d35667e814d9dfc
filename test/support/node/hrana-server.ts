import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import Database from 'libsql';

// The part of the Hrana 2 protocol over HTTP that @libsql/client uses, in front of a real database file.

type Value = { type: string; value?: string | number; base64?: string };
type Statement = { sql?: string; sql_id?: number; args?: Value[]; want_rows?: boolean };
type Condition =
  | { type: 'ok'; step: number }
  | { type: 'error'; step: number }
  | { type: 'not'; cond: Condition }
  | { type: 'and'; conds: Condition[] }
  | { type: 'or'; conds: Condition[] };
type Step = { stmt: Statement; condition?: Condition | null };
type Request =
  | { type: 'execute'; stmt: Statement }
  | { type: 'batch'; batch: { steps: Step[] } }
  | { type: 'store_sql'; sql_id: number; sql: string }
  | { type: 'sequence'; sql: string }
  | { type: 'close_sql' | 'close' };

const toDriver = ({ type, value, base64 }: Value): unknown => {
  if (type === 'null') return null;
  if (type === 'integer') return BigInt(value ?? 0);
  return type === 'blob' ? Buffer.from(base64 ?? '', 'base64') : value;
};

const fromDriver = (value: unknown): Value => {
  if (value === null) return { type: 'null' };
  if (typeof value === 'bigint') return { type: 'integer', value: String(value) };
  if (typeof value === 'number') return { type: 'float', value };
  if (typeof value === 'string') return { type: 'text', value };
  return { type: 'blob', base64: Buffer.from(value as Uint8Array).toString('base64') };
};

const executeOn = (database: Database.Database, texts: Map<number, string>, statement: Statement) => {
  const sql = statement.sql ?? texts.get(statement.sql_id ?? -1) ?? '';
  const prepared = database.prepare(sql);
  const args = (statement.args ?? []).map(toDriver);
  if (!prepared.reader) {
    const { changes, lastInsertRowid } = prepared.run(args);
    return { cols: [], rows: [], affected_row_count: changes, last_insert_rowid: String(lastInsertRowid) };
  }
  const cols = prepared.columns().map(({ name, type }) => ({ name, decltype: type }));
  const rows = prepared.safeIntegers(true).raw(true).all(args) as unknown[][];
  return {
    cols,
    rows: rows.map((row) => row.map(fromDriver)),
    affected_row_count: 0,
    last_insert_rowid: null,
  };
};

const errorOf = (error: unknown) => {
  const { message, code } = error as Error & { code?: string };
  return { message: `SQLite error: ${message}`, code: code?.split('_').slice(0, 2).join('_') ?? 'UNKNOWN' };
};

const batchOn = (database: Database.Database, texts: Map<number, string>, steps: readonly Step[]) => {
  const results: unknown[] = [];
  const errors: unknown[] = [];
  const holds = (condition: Condition): boolean => {
    if (condition.type === 'ok') return Boolean(results[condition.step]);
    if (condition.type === 'error') return Boolean(errors[condition.step]);
    if (condition.type === 'not') return !holds(condition.cond);
    if (condition.type === 'and') return condition.conds.every(holds);
    return condition.type === 'or' && condition.conds.some(holds);
  };
  for (const { stmt, condition } of steps) {
    let [result, error]: unknown[] = [null, null];
    try {
      if (!condition || holds(condition)) result = executeOn(database, texts, stmt);
    } catch (thrown) {
      error = errorOf(thrown);
    }
    results.push(result);
    errors.push(error);
  }
  return { step_results: results, step_errors: errors };
};

const answer = (database: Database.Database, texts: Map<number, string>, request: Request): unknown => {
  if (request.type === 'execute')
    return { type: 'execute', result: executeOn(database, texts, request.stmt) };
  if (request.type === 'batch')
    return { type: 'batch', result: batchOn(database, texts, request.batch.steps) };
  if (request.type === 'store_sql') texts.set(request.sql_id, request.sql);
  if (request.type === 'sequence') database.exec(request.sql);
  return { type: request.type };
};

/** One stream: its requests run in order on its own connection, and an open transaction is rolled back. */
const pipeline = (path: string, requests: readonly Request[]) => {
  const database = new Database(path, { timeout: 2000 });
  const texts = new Map<number, string>();
  const results = requests.map((request) => {
    try {
      return { type: 'ok', response: answer(database, texts, request) };
    } catch (error) {
      return { type: 'error', error: errorOf(error) };
    }
  });
  if (database.inTransaction) database.exec('ROLLBACK');
  database.close();
  return { baton: null, base_url: null, results };
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
};

/** `hold` lets the request wait until the promise is resolved. */
export type Fault =
  | 'refuse'
  | 'busy'
  | 'lose the request'
  | 'lose the answer'
  | { hold: Promise<void> }
  | null;

/** The server's error for a batch whose transaction could not begin. */
const busyAnswer = (requests: readonly Request[]) => ({
  baton: null,
  base_url: null,
  results: requests.map((request) => {
    const error = { message: 'SQLite error: database is locked', code: 'SQLITE_BUSY' };
    if (request.type !== 'batch') return { type: 'ok', response: { type: request.type } };
    const { steps } = request.batch;
    const result = {
      step_results: steps.map(() => null),
      step_errors: steps.map((_step, at) => (at === 0 ? error : null)),
    };
    return { type: 'ok', response: { type: 'batch', result } };
  }),
});

/** Serves a file by Hrana; `faultOf` decides for each pipeline, by the SQL it holds, what goes wrong. */
export const serveHrana = async (path: string, faultOf: (text: string) => Fault) => {
  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    if (request.url !== '/v2/pipeline') return void response.writeHead(404).end();
    const fault = faultOf(text);
    if (fault === 'refuse') return void response.writeHead(502).end('bad gateway');
    if (fault === 'lose the request') return void request.socket.destroy();
    if (fault !== null && typeof fault === 'object') await fault.hold;
    const { requests } = JSON.parse(text);
    const body = JSON.stringify(fault === 'busy' ? busyAnswer(requests) : pipeline(path, requests));
    if (fault === 'lose the answer') return void request.socket.destroy();
    response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() };
};
