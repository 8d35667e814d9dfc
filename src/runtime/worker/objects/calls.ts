import type { Part, PartTaken } from '../../../core/db/copies/restore.ts';
import type { Answer, Call } from '../../../core/db/object.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import type { Argon2 } from '../../../modules/auth/passwords/hasher.ts';
import type { ClinicEntry } from '../../../modules/clinics/queries.ts';
import type { PastMoment } from '../../../modules/operators/hosting.ts';
import type { Assets } from '../assets.ts';

/** What an object says about itself to an operator. */
export interface Described {
  /** Null where it does not answer. */
  bytes: number | null;
  /** The size of its archive; null where it has none, or that does not answer. */
  archiveBytes: number | null;
  schema: string | null;
  isCurrent: boolean;
  /** Its bookings of today that take a seat, or did; null where it cannot serve. */
  bookingsToday: number | null;
  /** When it wakes by itself next, in milliseconds since 1970; null while nothing is due. */
  wakesAt: number | null;
  /** Why it cannot serve; null where it can. */
  problem: string | null;
  /** How many lines have arrived of a copy that is being restored; null where none is. */
  restoredLines: number | null;
}

export interface NewClinic {
  demo: boolean;
  /** Under which its pages are reached: the link of the first admin leads there. */
  origin: string;
}

/** Why a part of a copy was not taken; `lines` where another one is expected. An error would arrive without its class. */
export interface RefusedPart {
  refused: string;
  lines: number | null;
}

/** What the front calls at a clinic's object. */
export interface ClinicCalls {
  /** Answers a request; passwords are hashed by the front, which hands itself in for that. */
  serve(clinic: ClinicEntry, request: Request, front: Argon2): Promise<Response>;
  /** Fills a new clinic; gives the link that makes its first admin, null for the demo clinic. */
  create(clinic: ClinicEntry, given: NewClinic, front: Argon2): Promise<string | null>;
  /** Makes another link for its first admin; null once it has one. */
  link(clinic: ClinicEntry, origin: string): Promise<string | null>;
  /** All rows as of this moment, line by line; what is written meanwhile waits. */
  dump(): Promise<ReadableStream<Uint8Array>>;
  /** Takes a part of such a copy. */
  restore(clinic: ClinicEntry, part: Part): Promise<PartTaken | RefusedPart>;
  /** Lets it be, once it was restarted, as it was at a moment of the last 30 days; gives the bookmark that undoes it. */
  rewind(clinic: ClinicEntry, to: PastMoment): Promise<{ undo: string } | { refused: string }>;
  /** Notes that there is an archive, for one that was brought back to a moment before it had one. */
  rememberArchive(clinic: ClinicEntry): Promise<void>;
  /** Ends it at once, with all that it has in memory, and this call with it: the next call begins anew. */
  restart(): Promise<void>;
  /** Takes over what changed in the directory. */
  note(clinic: ClinicEntry): Promise<void>;
  describe(): Promise<Described>;
  /** Deletes all that it holds. */
  erase(): Promise<void>;
}

/** What a clinic's object calls at its archive, and the front where a clinic is deleted or brought back to an earlier moment. */
export interface ArchiveCalls {
  runStep(calls: readonly Call[]): Promise<Answer[]>;
  /** How many bytes it has. */
  measure(): Promise<number>;
  /** Deletes all that it holds. */
  erase(): Promise<void>;
}

/** What the front calls at the object of the directory. */
export type DirectoryCalls = Pick<ArchiveCalls, 'runStep'>;

/** What a clinic's object calls at its sandbox, and the front where a clinic is deleted. */
export type SandboxCalls = Pick<ArchiveCalls, 'runStep' | 'erase'>;

interface Namespace<C> {
  idFromName(name: string): object;
  get(id: object, options?: { locationHint?: string }): C;
}

/** The bindings of a Worker that serves many clinics. */
export interface ObjectBindings extends Record<string, unknown> {
  CLINIC: Namespace<ClinicCalls>;
  DIRECTORY: Namespace<DirectoryCalls>;
  /** A deployment of before there were archives has none. */
  ARCHIVE?: Namespace<ArchiveCalls>;
  /** One of before there were sandboxes here has none of these. */
  SANDBOXES?: Namespace<SandboxCalls>;
  ASSETS?: Assets;
}

/** Why a horizon is refused. */
export const needsArchive =
  'ARCHIVE_AFTER_DAYS needs the class of the archives, with the binding ARCHIVE: see wrangler.objects.toml.';
export const needsSandboxes =
  'SANDBOX needs the class of the sandboxes, with the binding SANDBOXES: see wrangler.objects.toml.';

/** Throws where settings ask for objects of a class that the deployment does not have. */
export const assertClasses = (
  { ARCHIVE, SANDBOXES }: ObjectBindings,
  asked: { ARCHIVE_AFTER_DAYS?: unknown; SANDBOX?: unknown },
): void => {
  if (Number(asked.ARCHIVE_AFTER_DAYS ?? 0) > 0 && ARCHIVE === undefined)
    throw new SettingError(needsArchive);
  if (asked.SANDBOX === 'on' && SANDBOXES === undefined) throw new SettingError(needsSandboxes);
};
