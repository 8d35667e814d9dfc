import type { Role } from '../endpoint.ts';
import type { ErrorCode } from '../errors.ts';
import type { Language } from '../messages.ts';
import type { Compress } from './compression.ts';

/** What a verified access token says. Only the database says whether it still holds. */
export interface Claims {
  userId: string;
  deviceLoginId: string;
  /** The refresh token that it came with, counted from 0 in its device login; tokens of before have none. */
  generation?: number;
}

/** Who asks, as the database has it at this request. */
export interface Actor extends Claims {
  role: Role;
  /** The doctor whose bookings this person runs, for the role `doctor`. */
  doctorId: string | null;
}

export interface RequestFacts {
  requestId: string;
  language: Language;
}

export type AppEnv = {
  Bindings: object;
  Variables: RequestFacts & { failure?: ErrorCode; compress?: Compress };
};
