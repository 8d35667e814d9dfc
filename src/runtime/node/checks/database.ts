import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { type Db, run } from '../../../core/db/db.ts';
import type { Config } from '../../../core/settings/config.ts';
import { isAdmin, users } from '../../../core/tables/accounts.ts';
import { clinic } from '../../../core/tables/catalog.ts';
import { apiKeys } from '../../../core/tables/keys.ts';
import { bookingEvents } from '../../../core/tables/webhooks.ts';
import { countUnguardedAdmins } from '../../../modules/auth/factors/queries.ts';
import { type Connected, connectDatabase } from '../database/database.ts';
import { schemaProblem } from '../database/schema-version.ts';
import { explainError } from '../reason.ts';
import { isOpenToOthers, type NodeSettings } from '../settings.ts';
import { checkClock } from './clock.ts';
import { checkExchanges } from './exchange.ts';
import { type Finding, note, ok, wrong } from './finding.ts';
import { checkSealed } from './sealed.ts';
import { checkArchive, checkSize, sizeOfFile } from './size.ts';

const migrateIt = 'janji migrate (the start does it as well)';

/** A database's address without any credentials in it. */
const shown = (url: string): string => (url.startsWith('file:') ? url : new URL(url).host);

const checkMigrations = async ({ migrations }: Connected): Promise<Finding> => {
  const { missing, newer, foreign } = await migrations();
  if (foreign) return wrong('migrations', schemaProblem.foreign, 'use another DATABASE_URL');
  if (newer > 0)
    return wrong('migrations', `${newer} belong to a newer version than this`, 'run that version of Janji');
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ');
    return wrong('migrations', `missing: ${names}`, migrateIt);
  }
  return ok('migrations', 'all are applied');
};

/** Checks the clinic's time zone, and that no public password works where strangers can reach the service. */
export const checkClinic = (
  row: { timeZone: string; demoSince: number | null } | undefined,
  zone: string,
  strangersMayCome: boolean,
): Finding[] => {
  if (row === undefined) return [note('zone', `the first start will write ${zone}`)];
  const sameZone =
    row.timeZone === zone
      ? ok('zone', `${zone}, as the database was filled in`)
      : wrong(
          'zone',
          `CLINIC_TIME_ZONE is ${zone}, the database was filled in ${row.timeZone}`,
          `set CLINIC_TIME_ZONE to ${row.timeZone}`,
        );
  if (row.demoSince === null) return [sameZone];
  const says = 'the demo clinic, whose passwords everybody knows';
  const demo = strangersMayCome
    ? wrong('demo', says, 'use another database, or set DEMO=on if it is meant')
    : note('demo', says);
  return [sameZone, demo];
};

/** An id other than the database's is only meant for a copy that becomes another clinic. */
const checkId = (own: string | null | undefined, { CLINIC_ID }: Config): Finding[] =>
  CLINIC_ID === undefined || own === undefined || own === null || own === CLINIC_ID
    ? []
    : [
        note(
          'clinic',
          `CLINIC_ID is ${CLINIC_ID}, the database was made as ${own}: it takes no token of that one`,
          `set CLINIC_ID to ${own} unless this is another clinic`,
        ),
      ];

const checkAdmin = async (db: Db, { CLINIC_ID }: Config, { CLINICS }: NodeSettings): Promise<Finding[]> => {
  const [admin] = await db.select({ id: users.id }).from(users).where(isAdmin).limit(1);
  const at = CLINICS === undefined || CLINIC_ID === undefined ? '' : ` --clinic ${CLINIC_ID}`;
  if (admin === undefined)
    return [note('admin', 'there is none yet', `janji setup-link${at}, or create-admin${at}`)];
  const alone = await run(db, countUnguardedAdmins(db, {}));
  return alone[0]?.count === 0
    ? []
    : [note('admin', 'one has no second factor', 'have each admin set one up: docs/running-a-clinic.md')];
};

/** A key that leaks unnoticed can be used until it ends. */
const checkKeys = async (db: Db): Promise<Finding[]> => {
  const endless = await db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(isNull(apiKeys.revokedAt), isNull(apiKeys.expiresAt)));
  if (endless.length === 0) return [];
  const says = endless.length === 1 ? 'one never ends' : `${endless.length} never end`;
  return [note('API keys', says, 'give each an end: PATCH /v1/admin/api-keys/{id} {"expires_at": …}')];
};

const checkContent = async (
  { db, path }: Connected,
  config: Config,
  settings: NodeSettings,
): Promise<Finding[]> => {
  const [row] = await db.select().from(clinic).where(eq(clinic.id, 1));
  const strangersMayCome = settings.DEMO !== 'on' && isOpenToOthers(settings);
  const [event] = await db
    .select({ at: bookingEvents.occurredAt })
    .from(bookingEvents)
    .orderBy(desc(bookingEvents.sequence))
    .limit(1);
  const theirs = await db.select({ ms: sql<number>`unixepoch('subsec') * 1000` }).from(sql`(select 1)`);
  const clock = { now: Date.now(), newestEvent: event?.at ?? null, databaseNow: Number(theirs[0]?.ms) };
  return [
    ...checkClinic(row, config.CLINIC_TIME_ZONE, strangersMayCome),
    ...checkId(row?.clinicId, config),
    ...(await checkSealed(db, row, config, path)),
    ...(await checkAdmin(db, config, settings)),
    ...(await checkKeys(db)),
    ...(await checkExchanges(db, config, Date.now())),
    checkClock(clock),
  ];
};

/** Checks that the database answers, has this version's schema, and fits the settings. */
export const checkDatabase = async (config: Config, settings: NodeSettings): Promise<Finding[]> => {
  const { DATABASE_URL: url, DATABASE_AUTH_TOKEN: token, DATABASE_KEY: key } = settings;
  if (url.startsWith('file:') && !existsSync(resolve(url.slice('file:'.length))))
    return [wrong('database', `${url} is not there yet`, migrateIt)];
  const began = performance.now();
  const cannot = (error: unknown) => [
    wrong(
      'database',
      `${shown(url)} cannot be used (${explainError(error)})`,
      'check DATABASE_URL, DATABASE_AUTH_TOKEN, DATABASE_KEY and the rights of the file',
    ),
  ];
  let connected: Connected;
  try {
    connected = await connectDatabase(url, token, { key });
  } catch (error) {
    return cannot(error);
  }
  try {
    const migrations = await checkMigrations(connected);
    const took = Math.round(performance.now() - began);
    const answers = ok('database', `${shown(url)} answers (${took} ms)`);
    if (migrations.verdict === 'wrong') return [answers, migrations];
    const size = checkSize(connected.path === null ? null : sizeOfFile(connected.path));
    const archived = checkArchive({ ...settings, ARCHIVE_AFTER_DAYS: config.ARCHIVE_AFTER_DAYS });
    return [answers, ...size, ...archived, migrations, ...(await checkContent(connected, config, settings))];
  } catch (error) {
    return cannot(error);
  } finally {
    await connected.close();
  }
};
