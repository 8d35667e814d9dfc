import type { Answer, Call } from '../../../core/db/object.ts';
import type { Argon2 } from '../../../modules/auth/passwords/hasher.ts';
import type { ClinicEntry } from '../../../modules/clinics/queries.ts';
import type { Assets } from '../assets.ts';

/** What an object says about itself to an operator. */
export interface Described {
  bytes: number;
  schema: string | null;
  isCurrent: boolean;
  /** When it wakes by itself next, in milliseconds since 1970; null while nothing is due. */
  wakesAt: number | null;
  /** Why it cannot serve; null where it can. */
  problem: string | null;
}

export interface NewClinic {
  demo: boolean;
  /** Under which its pages are reached: the link of the first admin leads there. */
  origin: string;
}

/** What the front calls at a clinic's object. */
export interface ClinicCalls {
  /** Answers a request; passwords are hashed by the front, which hands itself in for that. */
  serve(clinic: ClinicEntry, request: Request, front: Argon2): Promise<Response>;
  /** Fills a new clinic; gives the link that makes its first admin, null for the demo clinic. */
  create(clinic: ClinicEntry, given: NewClinic, front: Argon2): Promise<string | null>;
  /** Takes over what changed in the directory. */
  note(clinic: ClinicEntry): Promise<void>;
  describe(): Promise<Described>;
  /** Deletes all that it holds. */
  erase(): Promise<void>;
}

/** What the front calls at the object of the directory. */
export interface DirectoryCalls {
  runStep(calls: readonly Call[]): Promise<Answer[]>;
}

interface Namespace<C> {
  idFromName(name: string): object;
  get(id: object, options?: { locationHint?: string }): C;
}

/** The bindings of a Worker that serves many clinics. */
export interface ObjectBindings extends Record<string, unknown> {
  CLINIC: Namespace<ClinicCalls>;
  DIRECTORY: Namespace<DirectoryCalls>;
  ASSETS?: Assets;
}
