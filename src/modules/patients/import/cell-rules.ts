// Pure: converts a row of a file, as people type it, to the fields and formats that the desk's rules validate afterwards.

import type { FieldIssue } from '../../../core/endpoint/field-sentences.ts';
import { homeCode, typedPhone } from '../../../core/search/phone-rules.ts';
import type { DateOrder } from '../../../core/tables/words.ts';
import { typedDate } from './date-rules.ts';

/** How many rows a step takes at most: few enough for the limits of a Worker. */
export const maxRows = 200;

/** The fields that a file may have, each in the order in which screens name it. */
export const importFields = [
  'name',
  'phone_number',
  'phone_country_code',
  'email',
  'birth_date',
  'sex',
  'address',
  'national_id',
  'insurance_number',
  'medical_record_number',
  'staff_notes',
  'external_id',
] as const;
export type ImportField = (typeof importFields)[number];

/** The cells of a row by their field; one that is empty is not given. */
export type Cells = Partial<Record<ImportField, string | undefined>>;

const sexes: Readonly<Record<string, 'male' | 'female'>> = {
  l: 'male',
  lk: 'male',
  lakilaki: 'male',
  laki: 'male',
  lelaki: 'male',
  pria: 'male',
  cowok: 'male',
  m: 'male',
  male: 'male',
  man: 'male',
  p: 'female',
  pr: 'female',
  perempuan: 'female',
  wanita: 'female',
  cewek: 'female',
  f: 'female',
  female: 'female',
  woman: 'female',
};

/** The values that count as an empty cell: of people, of databases and of spreadsheets. */
export const emptyCell = /^([-–—.?]*|null|#?n\/a)$/i;
/** Spreadsheets keep a number as text by an apostrophe before it, and some write it out. */
const asText = /^['’]/;

/** The digits of a number; only zeros count as no number. */
const numberIn = (typed: string): string | undefined => {
  const bare = typed.replace(asText, '').replaceAll(/[\s.-]/g, '');
  return /^0*$/.test(bare) ? undefined : bare;
};

/** A row in the forms of the interface, and what of it cannot be read. */
interface ReadRow {
  fields: Record<string, string | undefined>;
  externalId: string | null;
  issues: FieldIssue[];
}

type Given = Readonly<Record<string, string>>;

const phoneIn = ({ phone_number: typed, phone_country_code: code }: Given) => {
  if (typed === undefined) return {};
  const ofCountry = code?.replaceAll(/\D/g, '') || homeCode;
  const phone = typedPhone(typed.replace(asText, ''), ofCountry);
  return { phone_number: phone.number, phone_country_code: phone.code };
};

const sexIn = ({ sex: typed }: Given): { sex?: string; issues: FieldIssue[] } => {
  if (typed === undefined) return { issues: [] };
  const sex = sexes[typed.toLowerCase().replaceAll(/[^a-z]/g, '')];
  return sex === undefined ? { issues: [{ path: 'sex', rule: 'sex_typed' }] } : { sex, issues: [] };
};

const birthIn = ({ birth_date: typed }: Given, order: DateOrder | null) => {
  if (typed === undefined) return { issues: [] };
  const read = typedDate(typed, order);
  if ('date' in read) return { birth_date: read.date, issues: [] };
  return { issues: [{ path: 'birth_date', rule: read.problem }] satisfies FieldIssue[] };
};

/** Reads the cells of a row: dates, sex, phone and numbers in the forms that people type. */
export const readRow = (cells: Cells, order: DateOrder | null): ReadRow => {
  const given: Record<string, string> = {};
  for (const field of importFields) {
    const cell = cells[field]?.trim();
    if (cell !== undefined && !emptyCell.test(cell)) given[field] = cell;
  }
  const { external_id: externalId = null, ...fields } = given;
  // Some cells have a name on two lines.
  if (fields.name !== undefined) fields.name = fields.name.replaceAll(/\s+/g, ' ');
  for (const field of ['national_id', 'insurance_number'] as const) {
    const number = fields[field] === undefined ? undefined : numberIn(fields[field]);
    if (number === undefined) delete fields[field];
    else fields[field] = number;
  }
  const { issues: ofSex, ...sex } = sexIn(given);
  const { issues: ofBirth, ...birth } = birthIn(given, order);
  delete fields.sex;
  delete fields.birth_date;
  delete fields.phone_country_code;
  return {
    fields: { ...fields, ...phoneIn(given), ...sex, ...birth },
    externalId,
    issues: [...ofSex, ...ofBirth],
  };
};
