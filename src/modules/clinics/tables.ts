import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { instant, uuid } from '../../core/db/columns.ts';

// The tables of the directory: a database of its own, without patients, with migrations of its own
// (drizzle.directory.config.ts).

const clinicStates = ['open', 'closed'] as const;
export type ClinicState = (typeof clinicStates)[number];

/** The settings of one clinic, by the names that the environment gives them. */
export type StoredSettings = Readonly<Record<string, string>>;

export const clinics = sqliteTable(
  'clinics',
  {
    /** The CLINIC_ID of the clinic, from which its keys are derived. */
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    timeZone: text('time_zone').notNull(),
    state: text('state', { enum: clinicStates }).notNull(),
    stateSince: instant('state_since').notNull(),
    settings: text('settings', { mode: 'json' }).$type<StoredSettings>().notNull(),
    /** The path or the address of its database; null where its name follows from the id. */
    file: text('file'),
    /** When the newest migration that was applied to its database was made; null while that is unknown. */
    schema: instant('schema'),
    /** When it has work to do although nobody asks for anything; null while nothing waits. */
    dueAt: instant('due_at'),
    usedAt: instant('used_at'),
    /** Why it could not be opened last; null where it could. */
    problem: text('problem'),
    createdAt: instant('created_at').notNull(),
  },
  (t) => [index('clinics_due').on(t.dueAt), index('clinics_schema').on(t.schema, t.usedAt)],
);

export const hosts = sqliteTable(
  'hosts',
  {
    /** In lower case, without a port. */
    host: text('host').primaryKey(),
    clinicId: uuid('clinic_id')
      .notNull()
      .references(() => clinics.id),
    /** The first is the one that mails lead to. */
    position: integer('position').notNull(),
  },
  (t) => [index('hosts_clinic').on(t.clinicId, t.position)],
);

/** The processes that serve the clinics together, each for as long as it renews its line. */
export const machines = sqliteTable('machines', {
  /** Of one start of a process. */
  id: uuid('id').primaryKey(),
  /** Where the others reach it. */
  address: text('address').notNull(),
  computer: text('computer').notNull(),
  startedAt: instant('started_at').notNull(),
  /** Until when the clinics that it took are its own, by the clock of the directory; once over it is over for good. */
  heldUntil: instant('held_until').notNull(),
});

/** Which machine a clinic is at. */
export const leases = sqliteTable(
  'leases',
  {
    clinicId: uuid('clinic_id').primaryKey(),
    /** Null while it is nobody's; a machine that is not there or whose time is over has lost it. */
    machineId: uuid('machine_id'),
    /** Counts the owners. */
    epoch: integer('epoch').notNull(),
    since: instant('since').notNull(),
  },
  (t) => [index('leases_machine').on(t.machineId)],
);
