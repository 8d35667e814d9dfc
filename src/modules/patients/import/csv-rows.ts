import { withoutMark } from '../../../core/http/csv.ts';

/** A quotation mark that is opened and not closed, by its line: what comes behind it cannot be told apart. */
export class UnclosedQuote extends Error {
  readonly line: number;
  constructor(line: number) {
    super(`A quotation mark (") that opens in line ${line} is not closed. Close it, or take it out.`);
    this.line = line;
  }
}

/** As much as a row may take, so that it fits a request's body of 64 KB. */
export const maxRowBytes = 56_000;

/** A row that no step takes. */
export class RowTooLarge extends Error {
  readonly row: number;
  constructor(row: number) {
    super(`Row ${row} is larger than ${maxRowBytes / 1_000} KB.`);
    this.row = row;
  }
}

/** As much of a row as is kept until it ends: beyond this, it is not read on. */
export const maxHeld = 1_000_000;

/** A first line that some spreadsheets write to name the separator. */
export const separatorLine = /^sep=(.)$/i;

/**
 * The rows of a text that arrives in pieces, including blank rows (RFC 4180). Beyond its rules a row ends by any line end, a cell may
 * have a quotation mark within, and spaces behind the closing one.
 */
export async function* csvRows(pieces: AsyncIterable<string>, delimiter: string): AsyncGenerator<string[]> {
  const endOfPlain = new RegExp(`[\\r\\n${delimiter.replace(/[\]\\^-]/, '\\$&')}]`, 'g');
  const endOfQuoted = /["\r\n]/g;
  let state: 'begins' | 'plain' | 'quoted' | 'closes' = 'begins';
  let cells: string[] = [];
  let cell = '';
  let held = 0;
  let count = 0;
  let line = 1;
  let opened = 1;
  /** Spaces behind a quotation mark that closes the cell, unless more text comes. */
  let spaces = '';
  let hasLines = false;
  let isLoose = false;
  let isAfterReturn = false;

  const endCell = (): void => {
    // A carriage return alone within a cell is a line end of old spreadsheets.
    cells.push(withoutMark(cell.replaceAll(/\r(?!\n)/g, '\n')));
    cell = '';
    state = 'begins';
    hasLines = false;
    isLoose = false;
  };
  const endRow = (): string[][] => {
    endCell();
    const row = cells;
    cells = [];
    held = 0;
    const namesSeparator = count === 0 && separatorLine.test(row.join(delimiter));
    if (namesSeparator) return [];
    count += 1;
    return [row];
  };
  const hold = (length: number): void => {
    held += length;
    const isQuoted = state === 'quoted';
    // Closed by the mark that opens a cell of a later line, at which both would become one.
    if (isQuoted && ((hasLines && isLoose) || held > maxHeld)) throw new UnclosedQuote(opened);
    if (held > maxHeld) throw new RowTooLarge(count + 1);
  };
  const add = (text: string): void => {
    cell += text;
    hold(text.length);
  };

  for await (const piece of pieces)
    for (let at = 0; at < piece.length; ) {
      const letter = piece[at] ?? '';
      const isLineEnd = letter === '\n' || letter === '\r';
      const isSecondOfEnd = letter === '\n' && isAfterReturn;
      isAfterReturn = letter === '\r';
      if (isLineEnd && !isSecondOfEnd) line += 1;
      if (state === 'quoted') {
        if (letter === '"') {
          state = 'closes';
          spaces = '';
          at += 1;
          continue;
        }
        hasLines ||= isLineEnd;
        endOfQuoted.lastIndex = at + 1;
        const end = isLineEnd ? at + 1 : (endOfQuoted.exec(piece)?.index ?? piece.length);
        add(piece.slice(at, end));
        at = end;
        continue;
      }
      at += 1;
      if (isLineEnd) {
        if (!isSecondOfEnd) yield* endRow();
      } else if (letter === delimiter) {
        endCell();
        hold(1);
      } else if (state === 'begins' && letter === '"') {
        state = 'quoted';
        opened = line;
      } else if (state !== 'closes') {
        state = 'plain';
        endOfPlain.lastIndex = at;
        const end = endOfPlain.exec(piece)?.index ?? piece.length;
        add(piece.slice(at - 1, end));
        at = end;
      } else if (letter === '"' && spaces === '') {
        state = 'quoted';
        add('"');
      } else if (letter.trim() === '') spaces += letter;
      else {
        // No closing one, but text.
        state = 'quoted';
        isLoose = true;
        const isMark = letter === '"';
        add(`"${spaces}${isMark ? '' : letter}`);
        if (isMark) state = 'closes';
        spaces = '';
      }
    }
  if (state === 'quoted') throw new UnclosedQuote(opened);
  if (state !== 'begins' || cells.length > 0) yield* endRow();
}
