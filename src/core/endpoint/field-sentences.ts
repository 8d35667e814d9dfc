import { type Sentence, say, type ValueNames } from './sentences.ts';

/** The sentences for single fields; `{limit}` is filled in. */
export const fieldSentences = {
  required: { id: 'Wajib diisi.', en: 'Is required.' },
  wrong_type: { id: 'Jenis data tidak sesuai.', en: 'Has the wrong type.' },
  too_short: {
    id: 'Minimal {limit} karakter.',
    en: 'Must have at least {limit} {limit:character|characters}.',
  },
  too_long: {
    id: 'Maksimal {limit} karakter.',
    en: 'Must have at most {limit} {limit:character|characters}.',
  },
  too_small: { id: 'Minimal {limit}.', en: 'Must be at least {limit}.' },
  too_big: { id: 'Maksimal {limit}.', en: 'Must be at most {limit}.' },
  too_few: { id: 'Pilih minimal {limit}.', en: 'Must have at least {limit} {limit:entry|entries}.' },
  too_many: { id: 'Pilih maksimal {limit}.', en: 'Must have at most {limit} {limit:entry|entries}.' },
  not_allowed: { id: 'Pilih salah satu: {limit}.', en: 'Must be one of: {limit}.' },
  metadata_key: {
    id: 'Nama di dalamnya hanya boleh berisi huruf, angka, _, ., dan -, maksimal 40 karakter.',
    en: 'Its names must be letters, digits, _, . and - only, at most 40 of them.',
  },
  email: { id: 'Alamat email tidak valid.', en: 'Is not a valid e-mail address.' },
  uuid: { id: 'Harus berupa UUID.', en: 'Must be a UUID.' },
  date: {
    id: 'Harus berupa tanggal yang valid dengan format YYYY-MM-DD.',
    en: 'Must be an existing date as YYYY-MM-DD.',
  },
  date_typed: {
    id: 'Bukan tanggal yang bisa dibaca. Tulis misalnya 05/01/1950, 5 Jan 1950, atau 1950-01-05.',
    en: 'Is not a date that can be read. Write for example 05/01/1950, 5 Jan 1950 or 1950-01-05.',
  },
  date_number: {
    id: 'Angka ini hitungan hari dari spreadsheet. Atur kolomnya sebagai tanggal di sana, lalu simpan CSV lagi.',
    en: 'Is a number of days from a spreadsheet. Give the column a date format there, and save the CSV again.',
  },
  date_order: {
    id: 'Bisa berarti dua tanggal. Tentukan dahulu: hari atau bulan yang ditulis di depan.',
    en: 'May be two dates. First say whether the day or the month is written first.',
  },
  time_typed: {
    id: 'Bukan jam yang bisa dibaca. Tulis misalnya 09:30.',
    en: 'Is not a time that can be read. Write for example 09:30.',
  },
  past_only: { id: 'Harus sebelum hari ini.', en: 'Must be before today.' },
  past_retention: {
    id: 'Lebih lama dari masa simpan data janji temu di klinik ini.',
    en: 'Is older than this clinic keeps bookings.',
  },
  past_visit_typed: {
    id: 'Tulis selesai, tidak hadir, atau batal.',
    en: 'Write completed, no show or canceled.',
  },
  several_found: {
    id: 'Beberapa data memiliki nama ini. Tulis ID-nya.',
    en: 'Several records have this name. Write the id.',
  },
  other_patient: {
    id: 'Kedua nomor ini milik pasien yang berbeda.',
    en: 'These two numbers belong to different patients.',
  },
  time: { id: 'Harus berupa waktu dengan format HH:MM:SS.', en: 'Must be a time as HH:MM:SS.' },
  picture: {
    id: 'Harus gambar PNG, JPEG, atau WebP, maksimal 32 KB.',
    en: 'Must be a PNG, JPEG or WebP picture of at most 32 KB.',
  },
  photo: {
    id: 'Harus foto JPEG, PNG, atau WebP yang utuh, maksimal 40 KB, dengan sisi 64 sampai 1.024 piksel.',
    en: 'Must be a whole JPEG, PNG or WebP picture of at most 40 KB, with sides of 64 to 1,024 pixels.',
  },
  slug: {
    id: 'Hanya boleh berisi huruf kecil a–z, angka, dan tanda hubung di antaranya, maksimal 80 karakter.',
    en: 'Must be small letters a–z and digits with single hyphens between them, at most 80 characters.',
  },
  language_code: {
    id: 'Tulis kode bahasa dua atau tiga huruf kecil, misalnya id.',
    en: 'Must be codes of languages in two or three small letters, such as id.',
  },
  origin: {
    id: 'Tulis asal halaman saja, misalnya https://klinik.example.',
    en: 'Must be exact https origins, such as https://klinik.example.',
  },
  url: { id: 'Alamat URL tidak valid.', en: 'Is not a valid URL.' },
  receiver: {
    id: 'Harus berupa alamat https publik tanpa nama pengguna dan kata sandi.',
    en: 'Must be a public https address without credentials.',
  },
  digits: { id: 'Hanya boleh berisi angka, {limit} digit.', en: 'Must be digits only, {limit} of them.' },
  letters: {
    id: 'Hanya boleh berisi huruf A–Z, maksimal {limit}.',
    en: 'Must be letters A–Z only, at most {limit}.',
  },
  characters: {
    id: 'Berisi karakter yang tidak diperbolehkan.',
    en: 'Contains characters that are not allowed.',
  },
  password_wrong: { id: 'Kata sandi saat ini salah.', en: 'The present password is wrong.' },
  code_wrong: { id: 'Kode ini salah atau sudah dipakai.', en: 'This code is wrong or was used already.' },
  passkey_wrong: {
    id: 'Kunci sandi ini tidak dapat dikonfirmasi. Silakan mulai lagi.',
    en: 'This passkey could not be confirmed. Please begin again.',
  },
  password_mismatch: { id: 'Konfirmasi kata sandi tidak sama.', en: 'Does not match the password.' },
  password_common: {
    id: 'Kata sandi ini terlalu mudah ditebak. Silakan pilih yang lain.',
    en: 'This password is too easy to guess. Please choose another one.',
  },
  password_personal: {
    id: 'Kata sandi tidak boleh sama dengan email atau nama.',
    en: 'The password must not be the e-mail or the name.',
  },
  same_record: { id: 'Harus data pasien yang lain.', en: 'Must be another record.' },
  not_found: { id: 'Tidak ditemukan.', en: 'Was not found.' },
  birth_date: {
    id: 'Harus berupa tanggal lahir, paling lambat hari ini.',
    en: 'Must be a date of birth, today at the latest.',
  },
  of_profile: {
    id: 'Ubah nama dan nomor telepon Anda di profil.',
    en: 'Change your name and phone number in the profile.',
  },
  consent_version: {
    id: 'Bukan versi pemberitahuan privasi yang berlaku. Silakan baca versi terbaru.',
    en: 'Is not the privacy notice in force. Please read the latest one.',
  },
  sex_typed: {
    id: 'Tulis L atau P, Laki-laki atau Perempuan.',
    en: 'Write M or F, male or female, L or P.',
  },
  number_taken: {
    id: 'Nomor ini milik pasien lain yang sudah terdaftar.',
    en: 'Is the number of another patient who is registered already.',
  },
  id_of_another: {
    id: 'ID ini milik pasien lain: namanya berbeda, begitu juga tanggal lahir dan telepon yang tercatat.',
    en: 'Is the id of another patient: the name differs, and so do the known date of birth and phone number.',
  },
  several_alike: {
    id: 'Beberapa pasien terdaftar mirip dengan baris ini. Periksa di meja pendaftaran.',
    en: 'Several registered patients look like this row. Decide at the desk which one it is.',
  },
  options: {
    id: 'Pilihan: minimal 2 untuk pertanyaan pilihan, tidak ada untuk jenis lain.',
    en: 'A choice has at least 2 options, every other question none.',
  },
  number: {
    id: 'Harus berupa angka, misalnya 36,5.',
    en: 'Must be a number, such as 36.5.',
  },
  taken: { id: 'Sudah dipakai.', en: 'Is taken already.' },
  any_of: { id: 'Isi salah satu: {limit}.', en: 'Give one of: {limit}.' },
  order: { id: 'Harus setelah {limit}.', en: 'Must be after {limit}.' },
  range_days: {
    id: 'Rentang tanggal maksimal {limit} hari.',
    en: 'The range must be at most {limit} {limit:day|days}.',
  },
  overlap: { id: 'Tumpang tindih dengan jadwal lain.', en: 'Overlaps another schedule.' },
  misnamed: {
    id: 'Nama ini tidak dikenal; mungkin yang dimaksud {limit}.',
    en: 'Is not a known name; {limit} may be meant.',
  },
  unknown: { id: 'Parameter ini tidak dikenal.', en: 'Is not a known parameter.' },
  no_change: {
    id: 'Sebutkan minimal satu data yang ingin diubah.',
    en: 'Must name at least one field to change.',
  },
  today_only: { id: 'Hanya untuk jadwal hari ini.', en: 'Only for a slot of today.' },
  not_before: { id: 'Tidak boleh sebelum {limit}.', en: 'Must not be before {limit}.' },
  too_late: { id: 'Tidak boleh setelah {limit}.', en: 'Must not be after {limit}.' },
  phone: {
    id: 'Isi 4–15 angka nomor telepon; spasi, titik, tanda hubung dan kurung boleh.',
    en: 'Must be a phone number of 4–15 digits; blanks, dots, hyphens and brackets are fine.',
  },
  phone_reachable: {
    id: 'Tulis nomor ponsel, misalnya 0812-3456-7890, atau dengan kode negara di belakang tanda +.',
    en: 'Must be a mobile number, such as 0812-3456-7890, or one with its country code after a plus.',
  },
  phone_country: {
    id: 'Kode hanya dikirim ke nomor dengan kode negara: {limit}.',
    en: 'Codes are sent only to numbers with the country code: {limit}.',
  },
  other_country: {
    id: 'Kode negara di nomor ini berbeda dari yang disebutkan di sampingnya.',
    en: 'Has another country code than the one beside it.',
  },
  no_word: { id: 'Harus berisi huruf atau angka.', en: 'Must contain a letter or a digit.' },
  invalid: { id: 'Tidak valid.', en: 'Is not acceptable.' },
} as const satisfies Record<string, Sentence>;

export type FieldRule = keyof typeof fieldSentences;

/** The rules whose sentence names a limit. */
export type LimitingRule = {
  [R in FieldRule]: [ValueNames<(typeof fieldSentences)[R]>] extends [never] ? never : R;
}[FieldRule];

/** The name for people of a field that another field's sentence mentions. */
export const fieldNames: Readonly<Record<string, Sentence>> = {
  start_time: { id: 'jam mulai', en: 'the start time' },
  break_start: { id: 'awal istirahat', en: 'the start of the break' },
  break_end: { id: 'akhir istirahat', en: 'the end of the break' },
  start_date: { id: 'tanggal mulai', en: 'the start date' },
  valid_from: { id: 'tanggal mulai berlaku', en: 'the date from which it holds' },
  from: { id: 'tanggal awal', en: 'the first date' },
  now: { id: 'saat ini', en: 'now' },
  what_names_patient: {
    id: 'ID pasien di sistem lama, atau nomor rekam medis',
    en: "the patient's id in the other system, or the medical record number",
  },
  what_tells_apart: {
    id: 'nomor telepon, tanggal lahir, atau NIK',
    en: 'phone number, date of birth or national id',
  },
  what_reaches: { id: 'email atau nomor telepon', en: 'e-mail or phone number' },
  which_days: { id: 'date atau from', en: 'date or from' },
  from_instant: { id: 'waktu awal', en: 'the first instant' },
};

/** The fault: a rule of the field sentences, with the limit if its sentence needs one. */
export type FieldProblem =
  | { rule: LimitingRule; limit: number | string }
  | { rule: Exclude<FieldRule, LimitingRule>; limit?: never };

export type FieldIssue = FieldProblem & { path: string };

/** The problem as people are shown it. */
export const problemSentence = ({ rule, limit = '' }: FieldProblem): Sentence =>
  say(fieldSentences[rule], { limit: fieldNames[limit] ?? limit });
