import type { ErrorCode } from '../endpoint/errors.ts';
import type { FieldIssue } from '../endpoint/field-sentences.ts';
import type { Language, WholeMessageKey } from '../endpoint/messages.ts';
import type { Sentence } from '../endpoint/sentences.ts';

/** What a handler says, before it is written as an envelope or in another format. */
export interface Said<Status extends number = number> {
  status: Status;
  data?: unknown;
  meta?: unknown;
  /** A sentence of the messages by its key, or one with its values in it. */
  message?: WholeMessageKey | Sentence;
  headers?: Record<string, string>;
}

/** What a format knows of the request that it answers. */
export interface FormatRequest {
  language: Language;
  requestId: string;
  header: (name: string) => string | undefined;
  query: (name: string) => string | undefined;
  method: string;
  path: string;
  /** The clinic's address, where a setting says it. */
  publicUrl: () => string | undefined;
}

/** A failure of the catalogue, its sentences in the language of the request. */
export interface WrittenFailure {
  /** Of the catalogue, or of a refusal before any service was asked. */
  code: ErrorCode | (string & {});
  status: number;
  message: string;
  issues: readonly (FieldIssue & { message: string })[];
  extras: Readonly<Record<string, unknown>>;
  headers: Readonly<Record<string, string>>;
}

type WrittenAnswer = Pick<Said, 'status' | 'headers'> & { raw: string };

/** How bodies are read and answers are written below a path of the service that does not speak as `/v1` does. */
export interface Format {
  /** The path below which every answer is written so, that of an unknown path included; without a slash at its end. */
  base: string;
  /** The one language that it is spoken in, whatever a request prefers. */
  language?: Language;
  /** Throws the failure of a request whose answer cannot be written as it wishes; before anything else is read. */
  assertAcceptable?(request: FormatRequest): void;
  /** A body as text of JSON; `contentType` is empty where none came. Throws `unsupported_media_type`. */
  toJson(body: string, contentType: string, path: string): string;
  /** Writes an answer that succeeded; `data` is what the handler gave. */
  writeSuccess(answer: Said, request: FormatRequest): WrittenAnswer;
  /** Writes any failure: of the handler, of the pipeline, of a path that is unknown. */
  writeFailure(failure: WrittenFailure, request: FormatRequest): WrittenAnswer;
}

/** Whether a path is below that of a format; asked of every request, so that no text is built for it. */
export const isBelow = ({ base }: Pick<Format, 'base'>, path: string): boolean =>
  path.startsWith(base) && (path.length === base.length || path[base.length] === '/');
