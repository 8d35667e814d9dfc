import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { type Db, run, runAll, type Statement } from '../../core/db/db.ts';
import { type Named, statement } from '../../core/db/statement.ts';
import { type ClinicState, clinics, hosts, type StoredSettings } from './tables.ts';

/** The clinic of a row, with its hosts as JSON, the first one first. */
const columns = {
  id: clinics.id,
  name: clinics.name,
  timeZone: clinics.timeZone,
  state: clinics.state,
  stateSince: clinics.stateSince,
  settings: clinics.settings,
  file: clinics.file,
  schema: clinics.schema,
  dueAt: clinics.dueAt,
  usedAt: clinics.usedAt,
  problem: clinics.problem,
  createdAt: clinics.createdAt,
  hosts: sql<string>`(select json_group_array(h.host) from (select h.host from hosts h
    where h.clinic_id = clinics.id order by h.position) h)`.as('hosts_of_clinic'),
};

/** A clinic as the directory has it. */
export interface ClinicEntry extends Omit<typeof clinics.$inferSelect, 'hosts'> {
  hosts: readonly string[];
}

type Row = Omit<ClinicEntry, 'hosts'> & { hosts: string };

const toEntry = (row: Row): ClinicEntry => ({ ...row, hosts: JSON.parse(row.hosts) });

const byHost = statement((db, named: Named<'host'>) =>
  db
    .select(columns)
    .from(clinics)
    .innerJoin(hosts, eq(hosts.clinicId, clinics.id))
    .where(eq(hosts.host, named('host'))),
);

/** The clinic of a normalized host; null if there is none. */
export const findClinicByHost = async (db: Db, host: string): Promise<ClinicEntry | null> => {
  const [row] = (await run(db, byHost(db, { host }))) as Row[];
  return row === undefined ? null : toEntry(row);
};

/**
 * The clinic of an id or a host, in any case of letters; null if there is none. An id names files, and some disks do not tell `Melati.db`
 * from `melati.db`: so a new id may not differ from another one in capitals alone. Older ids may: the exact one is found first.
 */
export const findClinic = async (db: Db, hostOrId: string): Promise<ClinicEntry | null> => {
  const lower = hostOrId.toLowerCase();
  const named = sql`lower(${clinics.id}) = ${lower} or ${clinics.id} = (select clinic_id from hosts where host = ${lower})`;
  const order = sql`${clinics.id} = ${hostOrId} desc`;
  const [row] = await db.select(columns).from(clinics).where(named).orderBy(order).limit(1);
  return row === undefined ? null : toEntry(row);
};

/** The clinics whose database may be a file: those that name a path, and those whose id names it. */
export const findClinicsOfFile = async (db: Db, ids: readonly string[]): Promise<ClinicEntry[]> => {
  const named = or(isNotNull(clinics.file), inArray(clinics.id, [...ids]));
  return (await db.select(columns).from(clinics).where(named)).map(toEntry);
};

/** All clinics, in the order of their names. */
export const listClinics = async (db: Db): Promise<ClinicEntry[]> =>
  (await db.select(columns).from(clinics).orderBy(asc(clinics.name), asc(clinics.id))).map(toEntry);

/** The words of a search as a pattern of LIKE, with its own signs taken as they are. */
const likePattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, (sign) => `\\${sign}`)}%`;

interface Search {
  /** Part of a name, of a host, or of an id; empty for all. */
  text: string;
  /** `broken`: open, and its last opening failed. */
  state?: ClinicState | 'broken' | undefined;
  limit: number;
  offset: number;
}

/** A page of the clinics that a search finds, in the order of their names, and how many it finds in all. */
export const searchClinics = async (
  db: Db,
  { text, state, limit, offset }: Search,
): Promise<{ found: ClinicEntry[]; total: number }> => {
  const pattern = likePattern(text);
  const named = sql`(${clinics.name} like ${pattern} escape '\\' or ${clinics.id} like ${pattern} escape '\\'
    or exists (select 1 from hosts where clinic_id = ${clinics.id} and host like ${pattern} escape '\\'))`;
  const inState = {
    open: and(eq(clinics.state, 'open'), isNull(clinics.problem)),
    closed: eq(clinics.state, 'closed'),
    broken: and(eq(clinics.state, 'open'), isNotNull(clinics.problem)),
  };
  const which = and(text === '' ? undefined : named, state && inState[state]);
  const order = [asc(clinics.name), asc(clinics.id)];
  const { rows, counted } = await runAll(db, {
    rows: db
      .select(columns)
      .from(clinics)
      .where(which)
      .orderBy(...order)
      .limit(limit)
      .offset(offset),
    counted: db
      .select({ total: sql<number>`count(*)`.as('total') })
      .from(clinics)
      .where(which),
  });
  return { found: (rows as Row[]).map(toEntry), total: counted[0]?.total ?? 0 };
};

interface NewClinic extends Pick<ClinicEntry, 'id' | 'name' | 'timeZone' | 'hosts'> {
  settings?: StoredSettings;
  file?: string | null;
  state?: ClinicState;
}

/** What is written in the same step as a change of the directory: the line of who made it. */
type Recorded = readonly Statement[];

const hostRows = (clinicId: string, names: readonly string[]) =>
  names.map((host, position) => ({ host, clinicId, position }));

/** Adds a clinic with its hosts, open unless it says otherwise; fails where a host or the id is taken. */
export const insertClinic = async (
  db: Db,
  clinic: NewClinic,
  now: number,
  recorded: Recorded = [],
): Promise<void> => {
  const { id, name, timeZone, hosts: names, settings = {}, file = null, state = 'open' } = clinic;
  const row = { id, name, timeZone, settings, file, stateSince: now, createdAt: now };
  await runAll(db, {
    clinic: db.insert(clinics).values({ ...row, state }),
    hosts: db.insert(hosts).values(hostRows(id, names)),
    recorded,
  });
};

/** The changes of a clinic that an operator makes. */
type Change = Partial<
  Pick<ClinicEntry, 'name' | 'timeZone' | 'state' | 'stateSince' | 'settings' | 'file' | 'problem'>
>;

export const changeClinic = async (
  db: Db,
  id: string,
  change: Change,
  recorded: Recorded = [],
): Promise<void> => {
  await runAll(db, { changed: db.update(clinics).set(change).where(eq(clinics.id, id)), recorded });
};

export const setState = (
  db: Db,
  id: string,
  state: ClinicState,
  now: number,
  recorded: Recorded = [],
): Promise<void> =>
  changeClinic(db, id, { state, stateSince: now, ...(state === 'open' && { problem: null }) }, recorded);

/** Gives a clinic other hosts; fails where one of them is another clinic's. */
export const replaceHosts = async (
  db: Db,
  id: string,
  names: readonly string[],
  recorded: Recorded = [],
): Promise<void> => {
  await runAll(db, {
    before: db.delete(hosts).where(eq(hosts.clinicId, id)),
    after: db.insert(hosts).values(hostRows(id, names)),
    recorded,
  });
};

export const deleteClinic = async (db: Db, id: string, recorded: Recorded = []): Promise<void> => {
  await runAll(db, {
    hosts: db.delete(hosts).where(eq(hosts.clinicId, id)),
    clinic: db.delete(clinics).where(eq(clinics.id, id)),
    recorded,
  });
};

/** What an opener learned about a clinic; what is left out stays. */
export const noteClinic = async (
  db: Db,
  id: string,
  noted: Partial<Pick<ClinicEntry, 'schema' | 'dueAt' | 'usedAt' | 'problem'>>,
): Promise<void> => {
  await run(db, db.update(clinics).set(noted).where(eq(clinics.id, id)));
};

/** Lowers the time at which a clinic has work to do. */
export const lowerDueAt = async (db: Db, id: string, dueAt: number): Promise<void> => {
  const isLater = or(isNull(clinics.dueAt), sql`${clinics.dueAt} > ${dueAt}`);
  await run(
    db,
    db
      .update(clinics)
      .set({ dueAt })
      .where(and(eq(clinics.id, id), isLater)),
  );
};

/** The same for every clinic. */
export const lowerAllDueAt = async (db: Db, dueAt: number): Promise<void> => {
  const isLater = or(isNull(clinics.dueAt), sql`${clinics.dueAt} > ${dueAt}`);
  await run(db, db.update(clinics).set({ dueAt }).where(isLater));
};

/** Open clinics whose work is due, the longest due first; of those alone for which `only` holds. */
export const listDue = async (db: Db, now: number, limit: number, only?: SQL): Promise<ClinicEntry[]> => {
  const due = and(eq(clinics.state, 'open'), lte(clinics.dueAt, now), only);
  const rows = await db.select(columns).from(clinics).where(due).orderBy(asc(clinics.dueAt)).limit(limit);
  return rows.map(toEntry);
};

export const listClosedIds = async (db: Db): Promise<string[]> =>
  (await db.select({ id: clinics.id }).from(clinics).where(eq(clinics.state, 'closed'))).map(({ id }) => id);

/** Open clinics of an older schema or an unknown one, those that were used last first. */
export const listOutdated = async (
  db: Db,
  newest: number,
  limit: number,
  only?: SQL,
): Promise<ClinicEntry[]> => {
  const outdated = and(
    eq(clinics.state, 'open'),
    isNull(clinics.problem),
    or(isNull(clinics.schema), lt(clinics.schema, newest)),
    only,
  );
  const order = sql`${clinics.usedAt} desc nulls last`;
  const rows = await db.select(columns).from(clinics).where(outdated).orderBy(order).limit(limit);
  return rows.map(toEntry);
};

/** How many clinics there are, how many are open, and of how many of these the last opening failed. */
export const countClinics = async (db: Db): Promise<{ all: number; open: number; broken: number }> => {
  const [row] = await db
    .select({
      all: sql<number>`count(*)`.as('all_clinics'),
      open: sql<number>`coalesce(sum(${eq(clinics.state, 'open')}), 0)`.as('open_clinics'),
      broken:
        sql<number>`coalesce(sum(${eq(clinics.state, 'open')} and ${clinics.problem} is not null), 0)`.as(
          'broken_clinics',
        ),
    })
    .from(clinics)
    .where(ne(clinics.id, ''));
  return row ?? { all: 0, open: 0, broken: 0 };
};
