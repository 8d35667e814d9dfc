import type { Archive } from './archive/archive.ts';
import type { ClinicTime } from './clinic/time.ts';
import type { SecretBox } from './crypto/sealing.ts';
import type { TokenKeys } from './crypto/token-keys.ts';
import type { Db } from './db/db.ts';
import type { PublicCache } from './kept-answers.ts';
import type { Logger } from './log.ts';
import type { Mailer } from './mailer.ts';
import type { Metrics } from './metrics.ts';
import type { Config } from './settings/config.ts';
import type { AttemptFailure, ExchangeTarget, NoticeChannel } from './tables/words.ts';

/** Whether a password, already in NFKC and lower case, is one of the common ones (NIST SP 800-63B, 5.1.1.2). */
export type IsCommonPassword = (folded: string) => boolean;

/** How many hashing jobs run, wait, and were refused. */
export type GateStats = { running: number; waiting: number; refused: number };

/** Aborts when the client has gone: a hash that waits for its turn by then is not made. */
export type Gone = () => AbortSignal;

export interface Hasher {
  /** A PHC string with our own parameters; throws a TypeError if `hashedForm` refuses the password. */
  hash(password: string, gone?: Gone): Promise<string>;
  /** Whether the password matches the PHC string; false if the string is malformed or costs more than our parameters. */
  verify(phc: string, password: string, gone?: Gone): Promise<boolean>;
  /** Takes as long as `verify` and is always false: for an e-mail without an account. */
  verifyNothing(password: string, gone?: Gone): Promise<false>;
  /** Wraps a request that will hash: refuses it at once if too many are already running or waiting. */
  admit<T>(request: () => Promise<T>): Promise<T>;
  stats(): GateStats;
}

/** How a text may be compressed. */
export type Encoding = 'br' | 'gzip';

/** Compresses a text in an encoding that the client accepts; null if it accepts none. */
export type Compress = (
  text: string,
  acceptEncoding: string,
) => Promise<{ encoding: Encoding; content: Uint8Array<ArrayBuffer> }> | null;

/** A file that is served unchanged. */
export interface PublicFile {
  content: Uint8Array<ArrayBuffer> | ReadableStream;
  contentType: string;
  etag: string;
  /** The content's compression, if any. */
  encoding?: Encoding;
}

/** One signed event that is sent to a receiver. */
export interface WebhookMessage {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The outcome of one attempt. */
export type WebhookOutcome =
  | {
      status: number;
      retryAfterMs?: number;
      /** The first characters of the body, where they were read. */
      text?: string;
    }
  | { failure: AttemptFailure };

/** A request to a health system. */
export interface PartnerRequest {
  method: 'GET' | 'POST' | 'PUT';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** Its answer, or why there was none. */
export type PartnerAnswer =
  | { status: number; body: string; retryAfterMs?: number }
  | { failure: AttemptFailure };

/** What a process caches about an API key that was active when last seen. */
export interface KeyUse {
  /** When the counter of its requests will be empty if no more come. */
  emptyAt: number;
  /** When its use was last noted in the database. */
  notedAt: number;
}

/** What a process caches about a channel that sends notices. */
export interface Rest {
  /** Nothing is sent by it before this instant. */
  until: number;
  /** Attempts in a row without an answer. */
  silent: number;
  /** Pauses in a row because of missing answers. */
  rests: number;
}

/** The state of the service's scheduled backups. */
export interface BackupState {
  everyMs: number;
  /** The instant of the last backup that was made and verified. */
  lastGoodAt: number | null;
  /** When the last attempt failed, if it did. */
  lastFailedAt: number | null;
}

/** What only a sandbox can: its clock is set, and it begins again. */
export interface SandboxControls {
  /** Takes over its clock as another process, or another isolate, may have set it. */
  readClock: () => Promise<void>;
  /** Lets its clock go on from an instant that is not past, and does what is due until then; false if it is past. */
  setClock: (instant: number) => Promise<boolean>;
  /** Empties it and fills it again as a demo clinic, at the present time; its keys stay. */
  reset: () => Promise<void>;
}

/** The sandbox beside a clinic while it is open: another database, another clock, other keys. */
export interface OpenSandbox {
  deps: Deps;
  fetch: (request: Request, ...more: unknown[]) => Response | Promise<Response>;
}

/** The sandbox beside a clinic. That it cannot be opened is no failure of the clinic's. */
export interface BesideSandbox {
  /** Opens it unless it is open; null if it is not there and shall not be made. Throws if it cannot be opened now. */
  open: (how?: 'make') => Promise<OpenSandbox | null>;
}

/** Everything with an effect, made once by the entry and handed in. */
export interface Deps {
  config: Config;
  db: Db;
  /** The second database with the bookings that are older than the clinic's horizon, where there is one. */
  archive?: Archive | undefined;
  /** Throws `Unavailable` if the database answers reads but cannot be used (such as one that accepts no writes). */
  assertDatabaseUsable?: () => Promise<void>;
  /** The present instant, in milliseconds since 1970-01-01T00:00:00Z. */
  clock: () => number;
  newId: () => string;
  hasher: Hasher;
  /** The list of common passwords: read when it is first needed. */
  commonPasswords: () => Promise<IsCommonPassword>;
  tokenKeys: TokenKeys;
  clinicTime: ClinicTime;
  mailer: Mailer;
  log: Logger;
  /** Where the request came from, as the runtime knows it. */
  clientAddress: (request: Request, bindings: unknown) => string;
  /** Lets work go on after the answer: `waitUntil` on Workers, a tracked promise on Node. */
  background: (work: Promise<unknown>) => void;
  /** A file of the reference by its path: a static asset on Workers, read from the packages on Node. */
  publicFile?: (path: string, acceptEncoding: string) => Promise<PublicFile | null>;
  /** Compresses large answers on Node; on Workers the platform does this. */
  compress?: Compress;
  secretBox: SecretBox;
  /** How the clinic's API keys were used lately, by their ids, as far as this process knows. */
  keyUse: Map<string, KeyUse>;
  /** The state of the channels and of the health systems, as far as this process knows. */
  rests: Map<NoticeChannel | ExchangeTarget, Rest>;
  /** How many notices a channel may send at once, if this runtime allows fewer than others. */
  noticesAtOnce?: number;
  /** Makes one attempt to deliver an event, and closes its connection at the signal. It never throws. */
  sendWebhook: (message: WebhookMessage, signal: AbortSignal) => Promise<WebhookOutcome>;
  /** Makes one attempt to hand a message to the gateway for notices. It never throws. */
  sendMessage: (message: WebhookMessage, signal: AbortSignal) => Promise<WebhookOutcome>;
  /**
   * Waits until an event may have been written, or so many milliseconds; false if no request should wait any longer. On
   * Workers a request may not wait for another one, so there it is the time alone.
   */
  awaitEvents: (ms: number, ended: AbortSignal) => Promise<boolean>;
  /** Sends one request to a health system. It never throws. */
  askPartner: (request: PartnerRequest, signal: AbortSignal) => Promise<PartnerAnswer>;
  /** Wakes the deliverer: called after booking events were committed or deliveries became due. */
  eventsWritten: () => void;
  /**
   * Empties the database's own log, so that nothing that was deleted stays in it: now, or only if an earlier try was
   * in vain. An embedded file has such a log; a database elsewhere is its provider's.
   */
  emptyLog?: (when: 'now' | 'if left') => Promise<void>;
  /** The state of the scheduled backups: null where the service could make some and does not, absent where it cannot. */
  backupState?: () => BackupState | null;
  metrics: Metrics;
  /** Keeps public reads for some seconds, where PUBLIC_CACHE is on. */
  publicCache?: PublicCache;
  /** Where this is the sandbox itself. */
  sandbox?: SandboxControls;
  /** Where the deployment has a sandbox beside this clinic. */
  besideSandbox?: BesideSandbox;
}

/** What is made for each clinic when its service is put together. */
type MadeForClinic =
  | 'db'
  | 'archive'
  | 'assertDatabaseUsable'
  | 'emptyLog'
  | 'newId'
  | 'tokenKeys'
  | 'clinicTime'
  | 'secretBox'
  | 'keyUse'
  | 'rests';

/** The dependencies that a runtime provides, for any clinic. */
export type SharedDeps = Omit<Deps, MadeForClinic>;
