import type { Part, PartTaken } from '../../core/db/copies/restore.ts';
import type { Statement } from '../../core/db/db.ts';
import type { BackupState } from '../../core/deps.ts';
import type { ClinicEntry } from '../clinics/queries.ts';
import type { ClinicState } from '../clinics/tables.ts';

/** What an operator sees of a clinic beside its line in the directory: figures, and nobody's data. */
export interface ClinicFigures {
  /** The size of its database; null where that is unknown. */
  bytes: number | null;
  /** The size of its archive; null where it has none, or that is unknown. */
  archiveBytes: number | null;
  /** Its bookings of today that take a seat, or did; null while the clinic is closed or cannot be opened. */
  bookingsToday: number | null;
  /** Requests answered with 5xx since the service was started; null where nobody counts them. */
  failures: number | null;
  /** Null where this deployment makes no backups itself. */
  backup: BackupState | null;
  /** The newest migration of its database, and whether this version has none that is newer. */
  schema: string | null;
  isCurrent: boolean;
  /** When it has work to do although nobody asks for anything; null while nothing waits. */
  dueAt: number | null;
  /** Why it cannot be opened. */
  problem: string | null;
  /** Where the other machines reach the one that has it; null where none has, or where there are no several. */
  owner: string | null;
  /** How many lines of a copy have arrived that is being restored into it; null where none is. */
  restoredLines: number | null;
}

/** A clinic as an operator describes it. */
export interface DescribedClinic {
  name: string;
  hosts: readonly string[];
  timeZone?: string | undefined;
  admin?: string | undefined;
  demo?: boolean | undefined;
  id?: string | undefined;
  /** `closed` for one into which a copy is restored first. */
  state?: ClinicState | undefined;
  /** Whether a database that lies there under its id, and is no clinic's, is left of an attempt that was cut short. */
  isRepeated?: boolean | undefined;
}

interface AddedClinic {
  id: string;
  /** Makes the first admin, once; null for a demo clinic, which has its accounts. */
  link: string | null;
}

/** A moment of a clinic's past, or the bookmark of one. */
export type PastMoment = { at: number } | { bookmark: string };

/** What the runtime does for operators: it has the databases. */
export interface ClinicHosting {
  look: (clinic: ClinicEntry) => Promise<ClinicFigures>;
  /** Makes a clinic and the link of its first admin; what `recorded` gives is written in the step that adds it. */
  add: (clinic: DescribedClinic, recorded: (id: string) => Statement) => Promise<AddedClinic>;
  /** Makes another link for its first admin; null once it has one. */
  link: (clinic: ClinicEntry) => Promise<string | null>;
  /** The zone of a clinic that names none. */
  timeZone: string;
  /** Called after the directory was changed, so that what runs now knows it at once. */
  changed: (clinicId: string) => void | Promise<void>;
  /** The settings of a clinic as the directory stores them, after a change; null takes one away. Throws a SettingError. */
  settle: (
    clinic: ClinicEntry,
    changes: Readonly<Record<string, string | null>>,
  ) => Promise<ClinicEntry['settings']>;
  /** All rows of one moment, line by line (`src/core/db/copies/dump.ts`). */
  dump: (clinic: ClinicEntry) => Promise<ReadableStream<Uint8Array>>;
  /** Takes a part of such a copy into a new clinic. */
  restore: (clinic: ClinicEntry, part: Part) => Promise<PartTaken>;
  /** Brings a clinic back to a moment of the last 30 days; gives the bookmark that undoes it. Null where that is not offered. */
  rewind: ((clinic: ClinicEntry, to: PastMoment) => Promise<string>) | null;
  /** Deletes all that a clinic holds. */
  erase: (clinic: ClinicEntry) => Promise<void>;
}
