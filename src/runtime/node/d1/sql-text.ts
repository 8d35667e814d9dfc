export const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value === 'bigint' || Number.isFinite(value)) return String(value);
  throw new TypeError('Neither bytes nor anything but text and numbers can be written as SQL here.');
};
