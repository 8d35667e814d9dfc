// Pure: which field a column of a file is, by the names that people give columns in Indonesian and English.

import type { ImportField } from './cell-rules.ts';

const namesOf: Readonly<Record<ImportField, string>> = {
  name: 'nama|nama pasien|nama lengkap|nama px|name|full name|patient|patient name|pasien',
  phone_number:
    'telepon|telp|tlp|no telepon|no telp|no tlp|nomor telepon|hp|no hp|nomor hp|handphone|no handphone|ponsel|no ponsel|wa|no wa|nomor wa|whatsapp|no whatsapp|kontak|no kontak|phone|phone number|phone no|mobile|mobile number|mobile phone|cell|telephone|contact|phone number',
  phone_country_code: 'kode negara|country code|phone country code',
  email: 'email|e mail|surel|alamat email|email address',
  birth_date:
    'tanggal lahir|tgl lahir|tgl lhr|tanggal lhr|tgllahir|lahir|birth date|birthdate|date of birth|dob|birthday|born',
  sex: 'l p|lp|p l|jk|j k|kelamin|jenis kelamin|jns kelamin|gender|sex',
  address: 'alamat|alamat rumah|alamat lengkap|alamat domisili|domisili|address|home address',
  national_id:
    'nik|no nik|nomor nik|ktp|no ktp|nomor ktp|no identitas|nomor identitas|nomor induk kependudukan|national id|national id number|id card|identity number',
  insurance_number:
    'bpjs|no bpjs|nomor bpjs|kartu bpjs|no kartu bpjs|nomor kartu bpjs|bpjs kesehatan|no bpjs kesehatan|no jkn|jkn|no kis|kis|no kartu|noka|insurance number|insurance no|insurance',
  medical_record_number:
    'rm|no rm|nomor rm|norm|rekam medis|no rekam medis|nomor rekam medis|no rekam medik|nomor rekam medik|no medrec|mr|mrn|mr no|medical record|medical record no|medical record number',
  staff_notes: 'catatan|catatan petugas|catatan staf|keterangan|ket|notes|note|staff notes|remarks|comment',
  external_id:
    'id|id pasien|kode pasien|kode|id lama|id luar|external id|externalid|patient id|patient code|source id|old id',
};

const normalizeName = (name: string): string =>
  name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll(/\bnomer\b/g, 'nomor')
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim();

const joined = (words: string): string => words.replaceAll(' ', '');

/** Finds the field of each column by its name; null if the name is unknown, or an earlier column has that field. */
export type Recognizer<F extends string> = (header: readonly string[]) => (F | null)[];

/** Makes a recognizer from the names of each field, separated by |. */
export const createRecognizer = <F extends string>(names: Readonly<Record<F, string>>): Recognizer<F> => {
  const fieldByName: ReadonlyMap<string, F> = new Map(
    (Object.entries(names) as [F, string][]).flatMap(([field, own]) =>
      [...own.split('|'), field.replaceAll('_', ' ')].map((name) => [joined(name), field] as const),
    ),
  );
  return (header) => {
    const taken = new Set<F>();
    return header.map((name) => {
      // Text in brackets is a hint of the form: Tanggal lahir (dd/mm/yyyy).
      const field = fieldByName.get(joined(normalizeName(name.replaceAll(/\([^)]*\)/g, '')))) ?? null;
      if (field === null || taken.has(field)) return null;
      taken.add(field);
      return field;
    });
  };
};

/** The columns of a file of patients. */
export const recognizeColumns = createRecognizer(namesOf);
