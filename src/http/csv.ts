// RFC 4180, of our own tables alone: two lines of rules, which a library would bring with a reader and streams.

/** A spreadsheet would take a text that begins so for a formula, and names are given by people (OWASP, CSV injection). */
const formula = /^[=+\-@\t\r\n]/;

const cellOf = (value: string | number | null): string => {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formula.test(value.trimStart()) || formula.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
};

/** A table with its first line of names; every text is quoted, and none of them is a formula. */
export const csvOf = (
  names: readonly string[],
  rows: readonly Readonly<Record<string, string | number | null>>[],
): string =>
  [names.join(','), ...rows.map((row) => names.map((name) => cellOf(row[name] ?? null)).join(',')), ''].join(
    '\r\n',
  );
