import type { ResultSet } from '@libsql/client';
import { LibsqlBatchError } from '@libsql/client/sqlite3';
import {
  atStatement,
  DatabaseUnavailableError,
  findDriverError,
  fromDriver,
  type UnavailableCode,
} from './errors.ts';
import { type Apart, GroupUndone, type GroupWrite } from './group.ts';
import { type ResultParts, resultSet } from './values.ts';
import type { Outcome } from './work.ts';

// Messages between the main thread and the thread that writes. Structured clone copies only plain values: errors and
// results get their classes again on the other side.

/** A statement by the number of its text. */
type SentStatement = [text: number, args: unknown[] | Record<string, unknown>];

/** A group to be committed. */
export interface SentGroup {
  writes: { statements: SentStatement[]; isBatch: boolean }[];
  apart: Apart;
  /** The texts that are sent for the first time; their numbers go on from those before. */
  texts: string[];
  /** The earlier texts are discarded, and the file is reopened. */
  reopens: boolean;
}

/** An error of the driver or of the file. */
export interface SentError {
  message: string;
  /** Of an error of JavaScript itself, such as RangeError. */
  name?: string;
  unavailable?: UnavailableCode;
  driver?: { message: string; code: string; rawCode: number };
  statementIndex?: number;
  isUndone?: true;
}

type SentOutcome = { done: true; value: ResultParts[] } | { done: false; error: SentError };

/** The outcome of a group, and how often so far the file was busy and was reopened. */
export interface SentAnswer {
  outcomes?: SentOutcome[];
  error?: SentError;
  busyCount: number;
  reconnectCount: number;
}

const maxTexts = 1_000;

/** Gives each text a number and sends it once. */
export const makeTexts = () => {
  const numbers = new Map<string, number>();
  let isForgotten = false;
  const send = (group: readonly GroupWrite[], apart: Apart): SentGroup => {
    const reopens = isForgotten || numbers.size > maxTexts;
    isForgotten = false;
    if (reopens) numbers.clear();
    const texts: string[] = [];
    const assignNumber = (sql: string): number => {
      const known = numbers.get(sql);
      if (known !== undefined) return known;
      texts.push(sql);
      numbers.set(sql, numbers.size);
      return numbers.size - 1;
    };
    const writes = group.map(({ statements, isBatch }) => ({
      statements: statements.map(({ sql, args }): SentStatement => [assignNumber(sql), args]),
      isBatch,
    }));
    return { writes, apart, texts, reopens };
  };
  const forget = (): void => {
    isForgotten = true;
  };
  return { send, forget };
};

/** The writes of a group that was sent; `texts` has the earlier texts, and gets the new ones. */
export const receiveGroup = ({ writes, texts: added, reopens }: SentGroup, texts: string[]): GroupWrite[] => {
  if (reopens) texts.length = 0;
  texts.push(...added);
  return writes.map(({ statements, isBatch }) => ({
    statements: statements.map(([text, args]) => ({ sql: texts[text] ?? '', args })),
    isBatch,
  }));
};

export const sendError = (error: unknown): SentError => {
  if (error instanceof GroupUndone) return { ...sendError(error.cause), isUndone: true };
  const sent: SentError =
    error instanceof Error ? { message: error.message, name: error.name } : { message: String(error) };
  if (error instanceof DatabaseUnavailableError) sent.unavailable = error.code;
  if (error instanceof LibsqlBatchError && error.statementIndex !== undefined)
    sent.statementIndex = error.statementIndex;
  const driver = findDriverError(error);
  if (driver !== undefined)
    sent.driver = { message: driver.message, code: driver.code, rawCode: driver.rawCode };
  return sent;
};

const named = (error: Error, name: string): Error =>
  Object.defineProperty(error, 'name', { value: name, enumerable: false });

const remade = ({ message, code, rawCode }: NonNullable<SentError['driver']>): Error =>
  named(Object.assign(new Error(message), { code, rawCode }), 'SqliteError');

const receiveCause = ({ message, name, unavailable, driver, statementIndex }: SentError): unknown => {
  if (driver !== undefined) {
    const error = fromDriver(remade(driver));
    return statementIndex === undefined ? error : atStatement(error, statementIndex);
  }
  if (unavailable !== undefined) return new DatabaseUnavailableError(unavailable, message);
  return named(new Error(message), name ?? 'Error');
};

export const receiveError = (sent: SentError): unknown =>
  sent.isUndone === true
    ? new GroupUndone('undone in the writing thread', { cause: receiveCause(sent) })
    : receiveCause(sent);

export const sendOutcomes = (outcomes: readonly Outcome<ResultSet[]>[]): SentOutcome[] =>
  outcomes.map((outcome) =>
    // A result is copied without its class, so what arrives are its parts.
    outcome.done ? (outcome as unknown as SentOutcome) : { done: false, error: sendError(outcome.error) },
  );

export const receiveOutcomes = (outcomes: readonly SentOutcome[]): Outcome<ResultSet[]>[] =>
  outcomes.map((outcome) =>
    outcome.done
      ? { done: true, value: outcome.value.map(resultSet) }
      : { done: false, error: receiveError(outcome.error) },
  );
