import { explainQuery } from '#test-database';
import type { Db } from '../../src/core/db/db.ts';

/** Tables that grow with the clinic's years, so that no request may read through one of them. */
const growing = new Set([
  'audit_blocks',
  'bookings',
  'calendar_feeds',
  'booking_events',
  'closures',
  'consents',
  'device_logins',
  'doctors',
  'email_codes',
  'known_networks',
  'claim_codes',
  'family_relations',
  'mail_outbox',
  'patients',
  'password_resets',
  'queues',
  'refresh_tokens',
  'record_matches',
  'replays',
  'schedules',
  'search_words',
  'security_events',
  'throttles',
  'users',
  'webhook_deliveries',
]);

/** Indexes of what waits alone: they are as long as the backlog, whatever the table has become. */
const ofBacklog = /INDEX (webhook_deliveries_(due|order)|record_matches_open)\b/;

interface Query {
  sql: string;
  params: unknown[];
}

const tableNames = /\b(?:from|join|update|into)\s+"?(\w+)"?(?:\s+(?:as\s+)?"?(\w+)"?)?/gi;

/** The table of a name in a plan: plans show aliases, and these are unique in our statements. */
const tablesOf = (sql: string): Map<string, string> => {
  const names = new Map<string, string>();
  for (const [, table = '', alias = ''] of sql.matchAll(tableNames)) {
    names.set(table, table);
    if (growing.has(table) && alias !== '') names.set(alias, table);
  }
  return names;
};

/** The steps of a statement's plan that read a growing table from one end to the other, by an index or without. */
export const fullScans = async (db: Db, { sql, params }: Query): Promise<string[]> => {
  const names = tablesOf(sql);
  const steps = await explainQuery(db, sql, params);
  return steps.filter((step) => {
    const [, name] = /^SCAN (\w+)/.exec(step) ?? [];
    return name !== undefined && growing.has(names.get(name) ?? '') && !ofBacklog.test(step);
  });
};

/** The plan of a statement, step by step. */
export const planOf = (db: Db, { sql, params }: Query): Promise<string[]> => explainQuery(db, sql, params);

const seen = new Set<string>();
let unexplained: { db: Db; query: Query }[] = [];

const note = (db: Db, query: Query): void => {
  if (!seen.has(query.sql)) unexplained.push({ db, query });
};

interface Built {
  _prepare(): { getQuery(): Query };
}

export const queryOf = (built: unknown): Query => (built as Built)._prepare().getQuery();

/** A query that is awaited by itself: built step by step, and run when somebody waits for it. */
const watchBuilt = (db: Db, built: unknown): unknown =>
  typeof built !== 'object' || built === null
    ? built
    : new Proxy(built, {
        get: (target, name) => {
          const value = Reflect.get(target, name, target);
          if (typeof value !== 'function') return value;
          return (...given: unknown[]) => {
            if (name === 'then' && '_prepare' in target) note(db, queryOf(target));
            const result = Reflect.apply(value, target, given);
            return name === 'then' || name === '_prepare' ? result : watchBuilt(db, result);
          };
        },
      });

/** The same database, which remembers every statement that it is given, for the check after the test. */
export const watchPlans = (db: Db): Db =>
  new Proxy(db as Db & Record<string | symbol, unknown>, {
    get: (target, name) => {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        if (name !== 'batch') return watchBuilt(db, Reflect.apply(value, target, given));
        for (const built of given[0] as unknown[]) note(db, queryOf(built));
        return Reflect.apply(value, target, given);
      };
    },
  }) as unknown as Db;

/** Holds every statement that went through the service to this, once per text. */
export const checkPlans = async (): Promise<void> => {
  const queries = unexplained;
  unexplained = [];
  for (const { db, query } of queries) {
    if (seen.has(query.sql)) continue;
    const scans = await fullScans(db, query).catch((error: unknown) => {
      if (/no such (table|column)/.test(String(error))) return null;
      throw error;
    });
    // A test that broke the tables leaves the statement to the others.
    if (scans === null) continue;
    seen.add(query.sql);
    if (scans.length > 0) throw new Error(`${scans.join('; ')} in the plan of: ${query.sql}`);
  }
};
