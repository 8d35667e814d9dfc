import { expect, it } from 'vitest';
import { notedColumns, stateColumns } from '../../src/modules/booking/changes/queries.ts';
import { placeColumns } from '../../src/modules/booking/seats/queries.ts';
import { clinicFields } from '../../src/modules/catalog/clinic/fields.ts';
import { doctorFields } from '../../src/modules/catalog/fields/doctors.ts';
import { sessionFields } from '../../src/modules/catalog/fields/sessions.ts';
import { recordColumns } from '../../src/modules/patients/record/record-queries.ts';
import { texts } from './source.ts';

/** What a change writes as it was read, at the version that was read; what derives from it included. */
const written: Record<string, readonly string[]> = {
  patients: [...recordColumns.names, 'words'],
  doctors: [...doctorFields.names, 'words'],
  sessions: sessionFields.names,
  clinic: [...clinicFields.names, 'logoTag'],
  bookings: [...placeColumns.names, ...stateColumns.names, ...notedColumns.names, 'answers'],
};

/** Statements that something else than the version guards. */
const guarded = [
  // The calendar's version, at which a booking is moved.
  'modules/catalog/affected-queries.ts doctorName',
  'modules/catalog/affected-queries.ts sessionName',
  'modules/catalog/affected-queries.ts answers',
  // Of a booking that the same step wrote.
  'modules/booking/changes/queries.ts queueTurn',
  // Past bookings, whose last event is corrected.
  'modules/booking/rezone/queries.ts ...newInstants',
  // Whoever is deleted has no coming booking, and a past one is not moved.
  'modules/patients/erasure/queries.ts notes',
  'modules/patients/erasure/queries.ts staffNotes',
  'modules/patients/erasure/queries.ts cancelReason',
  'modules/patients/erasure/queries.ts referralNumber',
  'modules/patients/erasure/queries.ts answers',
  'modules/patients/erasure/queries.ts ...noExternal',
  // Contains the version.
  'modules/catalog/clinic/queries.ts ...changeable.valuesOf',
  // A new clinic, before anybody has read it.
  'modules/demo/demo.ts name',
  'modules/demo/demo.ts address',
  'modules/demo/demo.ts phone',
  'modules/demo/demo.ts consentVersion',
  'modules/demo/demo.ts privacyNoticeUrl',
];

/** The text from an opening bracket to the one that closes it. */
const bracketed = (text: string): string => {
  let depth = 0;
  for (const [at, sign] of [...text].entries()) {
    if ('([{'.includes(sign)) depth += 1;
    else if (')]}'.includes(sign)) depth -= 1;
    if (depth === 0) return text.slice(1, at);
  }
  return text;
};

/** The columns that a `set(…)` names, and what it takes over from elsewhere. */
const columnsIn = (argument: string): string[] => {
  const text = argument.trim();
  if (!text.startsWith('{')) return [`...${text}`];
  let depth = 0;
  let top = '';
  for (const sign of bracketed(text)) {
    if (')]}'.includes(sign)) depth -= 1;
    if (depth === 0) top += sign;
    if ('([{'.includes(sign)) depth += 1;
  }
  return [...top.replaceAll(/\/\/.*/g, '').matchAll(/(?:^|,)\s*(\.\.\.[\w.]+|\w+)/g)].map(
    ([, name = '']) => name,
  );
};

const updates = [...texts].flatMap(([file, text]) =>
  [...text.matchAll(/\.update\((\w+)\)\s*\.set(?=\()/g)].map((found) => ({
    file,
    table: found[1] ?? '',
    columns: columnsIn(bracketed(text.slice(found.index + found[0].length))),
  })),
);

it('whatever changes a record raises its version, so that nothing decided before is written over it', () => {
  const silent = updates.flatMap(({ file, table, columns }) =>
    columns.includes('version')
      ? []
      : columns
          .filter((name) => written[table]?.some((one) => one === name || !/^\w+$/.test(name)) === true)
          .map((name) => `${file} ${name}`),
  );
  expect(silent.sort()).toEqual([...guarded].sort());
});
