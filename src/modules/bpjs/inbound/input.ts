// Pure: the fields of BPJS's calls, judged in the order in which clinics usually judge them.

import { say } from '../../../core/endpoint/sentences.ts';
import { typedPhone } from '../../../core/search/phone-rules.ts';
import { type VisitKind, visitKinds } from '../../../core/tables/words.ts';
import { blank, refusal } from './dialect.ts';
import { antreanSentences as sentences } from './sentences.ts';

export type Given = Readonly<Record<string, unknown>>;

/** A field as text, whatever BPJS sends it as: codes come as numbers from one service and as text from another. */
export const readText = (given: Given, name: string): string => {
  const value = given[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
};

export const needed = (given: Given, name: string, field: string): string => {
  const text = readText(given, name);
  if (text === '') throw blank(field);
  return text;
};

/** A number of so many digits; empty where there is none. */
const readDigits = (given: Given, name: string, field: string, count: number): string => {
  const text = readText(given, name);
  if (text !== '' && !/^\d+$/.test(text)) throw refusal(say(sentences.form, { field }));
  if (text !== '' && text.length !== count) throw refusal(say(sentences.digits, { field, count }));
  return text;
};

/** The numbers of a patient: BPJS sends no card of one who pays otherwise. */
export const numbersIn = (given: Given, needsCard: boolean) => {
  const card = readDigits(given, 'nomorkartu', 'Nomor Kartu', 13);
  if (card === '' && needsCard) throw blank('Nomor Kartu');
  const nik = readDigits(given, 'nik', 'NIK', 16);
  if (nik === '') throw blank('NIK');
  return { card, nik };
};

export type Numbers = ReturnType<typeof numbersIn>;

export const cardIn = (given: Given): string => {
  const card = readDigits(given, 'nomorkartu', 'Nomor Kartu', 13);
  if (card === '') throw blank('Nomor Kartu');
  return card;
};

const isDate = (text: string): boolean => {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
};

export const dateIn = (given: Given, name: string, field = 'Tanggal'): string => {
  const text = needed(given, name, field);
  if (!isDate(text)) throw refusal(sentences.date_form);
  return text;
};

/** The hours of a shift as HH:MM-HH:MM, however BPJS sets blanks in them; null of nothing that is hours. */
export const shiftIn = (text: string): { start: string; end: string } | null => {
  const [, start, end] = /^(\d\d[:.]\d\d)-(\d\d[:.]\d\d)$/.exec(text.replaceAll(/\s/g, '')) ?? [];
  return start === undefined || end === undefined
    ? null
    : { start: start.replace('.', ':'), end: end.replace('.', ':') };
};

/** A code of HFIS; -1 of none, which no doctor has. */
export const doctorCodeIn = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : -1);

/** The kind of a visit by its `jeniskunjungan`. */
export const visitKindIn = (given: Given): VisitKind => {
  const kind = visitKinds[Number(readText(given, 'jeniskunjungan') || Number.NaN) - 1];
  if (kind === undefined) throw refusal(sentences.no_kind);
  return kind;
};

/** A phone number and its country code, without a leading 0; null where it is none. */
export const phoneIn = (text: string): { phone_country_code: string; phone_number: string } | null => {
  const { code, number } = typedPhone(text.replaceAll(/[^\d+]/g, ''));
  return /^\d{6,13}$/.test(number) ? { phone_country_code: code, phone_number: number } : null;
};

/** A line of text without what no line may have. */
export const readLine = (given: Given, name: string, max: number): string =>
  readText(given, name)
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
    .slice(0, max)
    .trim();

/** The address of a new patient in one line. */
export const addressIn = (given: Given): string => {
  const [rt, rw] = [readLine(given, 'rt', 5), readLine(given, 'rw', 5)];
  const parts = [
    readLine(given, 'alamat', 200),
    rt === '' && rw === '' ? '' : `RT ${rt || '-'} RW ${rw || '-'}`,
    ...['namakel', 'namakec', 'namadati2', 'namaprop'].map((name) => readLine(given, name, 60)),
  ];
  return parts.filter((part) => part !== '').join(', ');
};
