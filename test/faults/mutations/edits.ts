/** One text of the program replaced by another. */
export interface Edit {
  file: string;
  find: string;
  replace: string;
}

export interface Mutant {
  /** The guard that is taken out. */
  name: string;
  stress: 'bookings' | 'deliveries' | 'patients' | 'factors' | 'audit' | 'waitlist' | 'notices';
  edits: readonly Edit[];
}

export const change = (file: string, find: string, replace: string): Edit => ({ file, find, replace });
export const remove = (file: string, find: string): Edit => change(file, find, '');

/** The index stays and refuses no twins any more. */
export const admitTwins = (index: string): Edit =>
  change('drizzle', `CREATE UNIQUE INDEX \`${index}\``, `CREATE INDEX \`${index}\``);
