import { Unavailable } from '../../core/endpoint/errors.ts';
import type { ClinicEntry } from './queries.ts';

/** Where the services of clinics are: files that are opened on demand, or objects of the platform. */
export interface Opener {
  /** Answers a request at an open clinic. Throws `Unavailable` if that clinic cannot answer now. */
  answer: (clinic: ClinicEntry, request: Request, bindings: unknown) => Promise<Response>;
}

/** A clinic whose database cannot be opened: it is damaged, of a newer version, or its migration failed. */
export class ClinicBroken extends Unavailable {
  override readonly name = 'ClinicBroken';
}

/** Everything that may be open is in use, or too many requests of one clinic wait already. */
export class ClinicBusy extends Unavailable {
  override readonly name = 'ClinicBusy';
}

/** A clinic between two machines: the one that had it does not answer, and the time until another may take it is not over. */
export class ClinicMoving extends Unavailable {
  override readonly name = 'ClinicMoving';
  readonly retryAfterSeconds: number;

  constructor(why: string, retryAfterSeconds = 1, options?: ErrorOptions) {
    super(why, options);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
