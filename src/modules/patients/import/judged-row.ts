import * as z from 'zod/mini';
import { isBirthDate } from '../../../core/clinic/birth-date.ts';
import type { Deps } from '../../../core/deps.ts';
import { fieldIssues } from '../../../core/endpoint/field-issues.ts';
import type { FieldIssue } from '../../../core/endpoint/field-sentences.ts';
import { oneLine } from '../../../core/endpoint/fields.ts';
import { once } from '../../../core/endpoint/once.ts';
import { comparedPhone } from '../../../core/search/phone-rules.ts';
import type { DateOrder } from '../../../core/tables/words.ts';
import { identifying } from '../desk/actions.ts';
import { CreatePatient } from '../desk/contract.ts';
import { deriveHashes } from '../numbers/numbers.ts';
import { type Cells, readRow } from './cell-rules.ts';

/** The fields that the desk accepts for a new patient, and the id in the source. */
const RowShape = once(() => {
  const { confirm: _, metadata: __, ...fields } = CreatePatient.body().shape;
  return z.object({ ...fields, external_id: z.optional(oneLine(100)) });
});

type RowFields = Omit<z.output<ReturnType<typeof RowShape>>, 'external_id'>;

/** A valid row, with the values by which its record is looked up. */
export interface SoundRow {
  row: number;
  fields: RowFields;
  externalId: string | null;
  phone: string;
  nationalIds: readonly string[];
  insuranceNumbers: readonly string[];
}

interface UnsoundRow {
  row: number;
  issues: readonly FieldIssue[];
}

/** Validates a row by the rules of the desk. */
export const judgeRow = async (
  deps: Pick<Deps, 'tokenKeys'>,
  { row, ...cells }: Cells & { row: number },
  order: DateOrder | null,
  today: string,
): Promise<SoundRow | UnsoundRow> => {
  const read = readRow(cells, order);
  const given = { ...read.fields, ...(read.externalId !== null && { external_id: read.externalId }) };
  const parsed = z.safeParse(RowShape(), given);
  if (!parsed.success || read.issues.length > 0)
    return { row, issues: [...read.issues, ...fieldIssues(parsed.error?.issues ?? [], given)] };
  const { external_id: externalId = null, ...fields } = parsed.data;
  if (fields.birth_date !== undefined && !isBirthDate(fields.birth_date, today))
    return { row, issues: [{ path: 'birth_date', rule: 'birth_date' }] };
  if (!identifying.some((name) => fields[name] !== undefined))
    return { row, issues: [{ path: 'phone_number', rule: 'any_of', limit: 'what_tells_apart' }] };
  const { national_id, insurance_number, phone_country_code = '', phone_number = '' } = fields;
  const hashes = (kind: 'national_id' | 'insurance_number', number: string | undefined) =>
    number === undefined ? [] : deriveHashes(deps, kind, number);
  return {
    row,
    fields,
    externalId,
    phone: comparedPhone(phone_country_code, phone_number),
    nationalIds: await hashes('national_id', national_id),
    insuranceNumbers: await hashes('insurance_number', insurance_number),
  };
};
