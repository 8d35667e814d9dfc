import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { texts } from './source.ts';

/** Without what is generated; the files of web/ are held to it in web.test.ts. */
const programs = globSync('{src,client,test,bench,scripts}/**/*.ts', {
  exclude: ['**/node_modules/**', '**/dist/**', 'client/interface.ts'],
});

/** What may be longer, with the reason; what is not longer any more is not named here. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  'one copy of a served database, which takes processes to make, serves all its tests': [
    'test/node/commands/backup.test.ts',
  ],
  'one life of a process or of a browser, from its start to its end': [
    'test/browser/konsol/flows.ts',
    'test/browser/konsol/owns.ts',
    'test/browser/pasien/account.ts',
    'test/browser/pasien/late.ts',
    'test/browser/pasien/ticket.ts',
    'test/faults/mutations/bookings.ts',
    'test/faults/mutations/notices.ts',
    'test/faults/mutations/waitlist.ts',
    'test/faults/waitlist.test.ts',
  ],
  'a list of mutants by what they break': [
    'test/faults/mutations/mutants.ts',
    'test/faults/mutations/reaching.ts',
  ],
  'still to be divided': ['test/node/commands/ready.test.ts', 'test/security/fuzz.test.ts'],
};

describe('files', () => {
  it('have at most 250 lines', () => {
    expect(programs.length).toBeGreaterThan(900);
    const long = programs.filter((file) => readFileSync(file, 'utf8').split('\n').length > 251);
    expect(long.sort()).toEqual(Object.values(exceptions).flat().sort());
  });

  it('cast by force in db/ alone, and nowhere to never', () => {
    const forced = [...texts].filter(
      ([file, text]) =>
        (/\bas unknown as\b/.test(text) && !file.startsWith('db/')) || /\bas (never|any)\b/.test(text),
    );
    expect(forced.map(([file]) => file)).toEqual([]);
  });
});
