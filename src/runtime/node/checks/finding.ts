/** The result of one check: `wrong` prevents the service from working, a `note` is worth knowing. */
export interface Finding {
  what: string;
  verdict: 'ok' | 'note' | 'wrong';
  says: string;
  /** What to do about it. */
  cure?: string;
}

export const ok = (what: string, says: string): Finding => ({ what, verdict: 'ok', says });
export const note = (what: string, says: string, cure?: string): Finding => ({
  what,
  verdict: 'note',
  says,
  ...(cure !== undefined && { cure }),
});
export const wrong = (what: string, says: string, cure: string): Finding => ({
  what,
  verdict: 'wrong',
  says,
  cure,
});

const marks = { ok: 'ok   ', note: 'note ', wrong: 'WRONG' };

/** One line for each finding, and under it what to do. */
export const printed = ({ what, verdict, says, cure }: Finding): string => {
  const line = `${marks[verdict]}  ${what.padEnd(10)}  ${says}\n`;
  return cure === undefined ? line : `${line}${' '.repeat(19)}-> ${cure}\n`;
};
