import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { dayMs } from '../../../core/clinic/durations.ts';
import { type Db, runAll } from '../../../core/db/db.ts';
import { isoOrNull, toIso } from '../../../core/endpoint/instants.ts';
import type { Config } from '../../../core/settings/config.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { version } from '../../../interface/reference/package.ts';
import { judgeBackups } from '../../../modules/health/rules.ts';
import { readBackupPlan, readBackupState } from '../backup/scheduled.ts';
import { openD1ByWrangler } from '../d1/d1-database.ts';
import { askD1, type D1Place } from '../d1/wrangler.ts';
import { connectDatabase } from '../database/database.ts';
import { assertThere } from '../database/database-file.ts';
import { knownMigrations } from '../database/migrations.ts';
import type { NodeSettings } from '../settings.ts';
import { readCertificateEnd } from './certificate.ts';
import { addressOfService, askService } from './service.ts';
import { sizeOfFile } from './size.ts';
import { findKeyAges, findPaused, findQueues } from './status-queries.ts';
import { attentionTo } from './status-rules.ts';

interface Schema {
  last: string | null;
  missing: string[];
  newer: number;
}

interface Opened {
  db: Db;
  schema: Schema;
  bytes: number | null;
  close: () => Promise<void>;
}

const buildSchema = (missing: readonly string[], newer: number): Schema => {
  const applied = knownMigrations().filter(({ name }) => !missing.includes(name));
  return { last: applied.at(-1)?.name ?? null, missing: [...missing], newer };
};

const openD1 = (place: D1Place): Opened => {
  const [answer] = askD1(['select name from d1_migrations;'], place) ?? [];
  if (answer === undefined) throw new SettingError('D1 cannot be read, or has no tables yet.');
  const had = new Set(answer.results.map(({ name }) => String(name).replace(/\.sql$/, '')));
  const known = knownMigrations().map(({ name }) => name);
  const missing = known.filter((name) => !had.has(name));
  const newer = [...had].filter((name) => !known.includes(name)).length;
  return {
    db: openD1ByWrangler(place),
    schema: buildSchema(missing, newer),
    bytes: null,
    close: async () => {},
  };
};

const openLibsql = async (settings: NodeSettings): Promise<Opened> => {
  const { DATABASE_URL: url, DATABASE_AUTH_TOKEN: token, DATABASE_KEY: key } = settings;
  assertThere(url);
  const { db, path, migrations, close } = await connectDatabase(url, token, { key });
  try {
    const { missing, newer, foreign } = await migrations();
    if (foreign) throw new SettingError("The database's tables are not this service's.");
    const schema = buildSchema(
      missing.map(({ name }) => name),
      newer,
    );
    return { db, schema, bytes: path === null ? null : sizeOfFile(path), close };
  } catch (error) {
    await close();
    throw error;
  }
};

const readQueues = async (db: Db, now: number) => {
  const read = await runAll(db, {
    queues: findQueues(db, { now }),
    paused: findPaused(db, {}),
    keys: findKeyAges(db, { now }),
  });
  return { queues: read.queues, paused: read.paused[0]?.count ?? 0, keys: read.keys[0] };
};

const nothingRead = { queues: [], paused: 0, keys: undefined };

/** The age in days of a secret's file beside the database; null if there is none. */
const ageOfFile = (url: string, end: string, now: number): number | null => {
  if (!url.startsWith('file:')) return null;
  const file = statSync(`${resolve(url.slice('file:'.length))}.${end}`, { throwIfNoEntry: false });
  return file === undefined ? null : Math.max(0, Math.floor((now - file.mtimeMs) / dayMs));
};

const readBackups = (settings: NodeSettings, now: number) => {
  const plan = readBackupPlan(settings);
  if (plan === null) return null;
  const state = readBackupState(plan, now);
  return { state: judgeBackups(state, now), last_good_at: isoOrNull(state.lastGoodAt), folder: plan.folder };
};

/** The state of a service and its database, as JSON. Changes nothing. */
export const readStatus = async (
  { config, settings, place }: { config: Config; settings: NodeSettings; place: D1Place | null },
  now: number,
) => {
  const { db, schema, bytes, close } = place === null ? await openLibsql(settings) : openD1(place);
  try {
    const isCurrent = schema.missing.length === 0 && schema.newer === 0;
    const { queues, paused, keys } = isCurrent ? await readQueues(db, now) : nothingRead;
    const backup = place === null ? readBackups(settings, now) : null;
    const origin = config.PUBLIC_URL;
    const certificateEnd = origin?.startsWith('https:') ? await readCertificateEnd(origin) : null;
    const { DATABASE_URL: url } = settings;
    const address = addressOfService(settings, { publicUrl: origin, isD1: place !== null });
    const answer = await askService(address);
    const service = address === null || answer === null ? null : { address, answer };
    const attention = attentionTo({
      now,
      service,
      ...schema,
      bytes,
      backup: backup?.state ?? null,
      queues,
      certificateEnd,
    });
    return {
      version,
      at: toIso(now),
      service,
      schema,
      database_bytes: bytes,
      backup,
      queues: queues.map(({ name, count, oldest }) => ({
        name,
        waiting: count,
        oldest_due_at: isoOrNull(oldest),
      })),
      paused_webhooks: paused,
      api_keys: {
        active: keys?.count ?? 0,
        oldest_at: isoOrNull(keys?.oldest ?? null),
        next_end_at: isoOrNull(keys?.nextEnd ?? null),
      },
      // The age of a key in the environment is unknown.
      secret_age_days: config.JWT_SECRET === undefined ? ageOfFile(url, 'jwt-secret', now) : null,
      data_key_age_days: config.DATA_KEY === undefined ? ageOfFile(url, 'data-key', now) : null,
      certificate_ends_at: isoOrNull(certificateEnd),
      attention,
    };
  } finally {
    await close();
  }
};

export type Status = Awaited<ReturnType<typeof readStatus>>;
