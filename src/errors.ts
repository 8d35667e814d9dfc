/** Every failure that a client can see, said once: its status and its sentence in both languages. */
export const catalogue = {
  malformed_json: {
    status: 400,
    id: 'Isi permintaan bukan JSON yang valid.',
    en: 'The request body is not valid JSON.',
  },
  invalid_query: {
    status: 400,
    id: 'Parameter permintaan tidak valid.',
    en: 'A request parameter is not valid.',
  },
  invalid_header: { status: 400, id: 'Header permintaan tidak valid.', en: 'A request header is not valid.' },
  unauthenticated: { status: 401, id: 'Silakan masuk terlebih dahulu.', en: 'Please log in first.' },
  invalid_credentials: {
    status: 401,
    id: 'Email atau kata sandi salah.',
    en: 'The e-mail or the password is wrong.',
  },
  forbidden: { status: 403, id: 'Anda tidak memiliki izin untuk tindakan ini.', en: 'You may not do this.' },
  not_found: { status: 404, id: 'Data tidak ditemukan.', en: 'Not found.' },
  method_not_allowed: {
    status: 405,
    id: 'Metode ini tidak didukung.',
    en: 'This method is not supported here.',
  },
  email_taken: { status: 409, id: 'Email ini sudah terdaftar.', en: 'This e-mail is already registered.' },
  slot_full: { status: 409, id: 'Jadwal ini sudah penuh.', en: 'This slot is full.' },
  patient_busy: {
    status: 409,
    id: 'Pasien sudah memiliki janji temu pada waktu itu.',
    en: 'The patient already has a booking at that time.',
  },
  too_many_bookings: {
    status: 409,
    id: 'Jumlah janji temu mendatang sudah mencapai batas.',
    en: 'The limit of coming bookings is reached.',
  },
  invalid_transition: {
    status: 409,
    id: 'Tindakan ini tidak dapat dilakukan pada janji temu ini sekarang.',
    en: 'This cannot be done to the booking now.',
  },
  version_mismatch: {
    status: 409,
    id: 'Data telah berubah. Muat ulang lalu coba lagi.',
    en: 'The data has changed. Reload it and try again.',
  },
  schedule_overlap: {
    status: 409,
    id: 'Dokter sudah memiliki jadwal lain pada jam tersebut.',
    en: 'The doctor has another schedule at those hours.',
  },
  last_admin: {
    status: 409,
    id: 'Harus ada minimal satu admin.',
    en: 'There has to be at least one admin.',
  },
  payload_too_large: {
    status: 413,
    id: 'Isi permintaan terlalu besar.',
    en: 'The request body is too large.',
  },
  unsupported_media_type: {
    status: 415,
    id: 'Isi permintaan harus berupa application/json dalam UTF-8.',
    en: 'The request body must be application/json in UTF-8.',
  },
  validation_failed: {
    status: 422,
    id: 'Data yang Anda kirim belum sesuai. Silakan periksa kembali.',
    en: 'Some of the data sent is not acceptable.',
  },
  reset_token_invalid: {
    status: 422,
    id: 'Tautan atau kode ini tidak berlaku lagi. Silakan minta yang baru.',
    en: 'This link or code is no longer valid. Please ask for a new one.',
  },
  doctor_not_found: { status: 422, id: 'Dokter tidak ditemukan.', en: 'The doctor was not found.' },
  session_not_offered: {
    status: 422,
    id: 'Layanan ini tidak tersedia untuk dokter tersebut.',
    en: 'This doctor does not offer this session.',
  },
  slot_unavailable: { status: 422, id: 'Jadwal ini tidak dapat dipesan.', en: 'This slot cannot be booked.' },
  idempotency_key_reused: {
    status: 422,
    id: 'Idempotency-Key ini sudah dipakai untuk permintaan lain.',
    en: 'This Idempotency-Key was used for another request.',
  },
  rate_limited: {
    status: 429,
    id: 'Terlalu banyak percobaan. Silakan coba beberapa saat lagi.',
    en: 'Too many attempts. Please try again later.',
  },
  internal: {
    status: 500,
    id: 'Terjadi kesalahan pada sistem kami. Silakan coba beberapa saat lagi.',
    en: 'Something went wrong on our side. Please try again later.',
  },
  unavailable: {
    status: 503,
    id: 'Layanan sedang sibuk. Silakan coba lagi.',
    en: 'The service is busy. Please try again.',
  },
} as const satisfies Record<string, { status: number; id: string; en: string }>;

export type ErrorCode = keyof typeof catalogue;

/** Why a slot cannot be booked, said instead of `slot_unavailable`'s own sentence. */
export const closedSentences = {
  past: { id: 'Jadwal ini sudah lewat.', en: 'This slot has begun or is over.' },
  too_soon: {
    id: 'Jadwal ini sudah terlalu dekat. Silakan pilih jadwal lain.',
    en: 'It is too late to book this slot. Please choose another one.',
  },
  too_far: { id: 'Jadwal ini belum dibuka untuk pemesanan.', en: 'This slot is not open for booking yet.' },
  leave: { id: 'Dokter sedang cuti pada waktu itu.', en: 'The doctor is on leave at that time.' },
  holiday: { id: 'Klinik tutup pada waktu itu.', en: 'The clinic is closed at that time.' },
  not_offered: {
    id: 'Tidak ada jadwal dokter pada waktu itu.',
    en: 'The doctor has no slot at that time.',
  },
} as const satisfies Record<string, { id: string; en: string }>;

/** Extra facts that a failure carries for the client: fields of the body, and headers. */
export interface FailureDetails {
  /** Further members of the error's body, such as `alternatives` or `booking_status`. */
  extras?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  /** Says more than the catalogue's sentence does. */
  sentence?: { id: string; en: string };
  /** What is wrong with which field. */
  issues?: readonly FieldIssue[];
}

/** A failure from the catalogue. Thrown by actions, turned into an answer in one place. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly details: FailureDetails;
  constructor(code: ErrorCode, details: FailureDetails = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }
}

/** What is wrong with one field. `rule` is a key of the field sentences, `limit` the number in them. */
export interface FieldIssue {
  path: string;
  rule: FieldRule;
  limit?: number | string;
}

/** The sentences for single fields; `{limit}` is filled in. */
export const fieldSentences = {
  required: { id: 'Wajib diisi.', en: 'Is required.' },
  wrong_type: { id: 'Jenis data tidak sesuai.', en: 'Has the wrong type.' },
  too_short: { id: 'Minimal {limit} karakter.', en: 'Must have at least {limit} characters.' },
  too_long: { id: 'Maksimal {limit} karakter.', en: 'Must have at most {limit} characters.' },
  too_small: { id: 'Minimal {limit}.', en: 'Must be at least {limit}.' },
  too_big: { id: 'Maksimal {limit}.', en: 'Must be at most {limit}.' },
  too_few: { id: 'Pilih minimal {limit}.', en: 'Must have at least {limit} entries.' },
  too_many: { id: 'Pilih maksimal {limit}.', en: 'Must have at most {limit} entries.' },
  not_allowed: { id: 'Pilih salah satu: {limit}.', en: 'Must be one of: {limit}.' },
  email: { id: 'Alamat email tidak valid.', en: 'Is not a valid e-mail address.' },
  uuid: { id: 'Harus berupa UUID.', en: 'Must be a UUID.' },
  date: {
    id: 'Harus berupa tanggal yang valid dengan format YYYY-MM-DD.',
    en: 'Must be an existing date as YYYY-MM-DD.',
  },
  time: { id: 'Harus berupa waktu dengan format HH:MM:SS.', en: 'Must be a time as HH:MM:SS.' },
  url: { id: 'Alamat URL tidak valid.', en: 'Is not a valid URL.' },
  receiver: {
    id: 'Harus berupa alamat https publik tanpa nama pengguna dan kata sandi.',
    en: 'Must be a public https address without credentials.',
  },
  digits: { id: 'Hanya boleh berisi angka, {limit} digit.', en: 'Must be digits only, {limit} of them.' },
  characters: {
    id: 'Berisi karakter yang tidak diperbolehkan.',
    en: 'Contains characters that are not allowed.',
  },
  password_wrong: { id: 'Kata sandi saat ini salah.', en: 'The present password is wrong.' },
  password_mismatch: { id: 'Konfirmasi kata sandi tidak sama.', en: 'Does not match the password.' },
  password_common: { id: 'Kata sandi ini terlalu mudah ditebak.', en: 'This password is too easy to guess.' },
  password_personal: {
    id: 'Kata sandi tidak boleh sama dengan email atau nama.',
    en: 'The password must not be the e-mail or the name.',
  },
  not_found: { id: 'Tidak ditemukan.', en: 'Was not found.' },
  order: { id: 'Harus setelah {limit}.', en: 'Must be after {limit}.' },
  range_days: { id: 'Rentang tanggal maksimal {limit} hari.', en: 'The range must be at most {limit} days.' },
  overlap: { id: 'Tumpang tindih dengan jadwal lain.', en: 'Overlaps another schedule.' },
  unknown: { id: 'Parameter ini tidak dikenal.', en: 'Is not a known parameter.' },
  no_change: {
    id: 'Sebutkan minimal satu data yang ingin diubah.',
    en: 'Must name at least one field to change.',
  },
  not_before: { id: 'Tidak boleh sebelum {limit}.', en: 'Must not be before {limit}.' },
  too_late: { id: 'Tidak boleh setelah {limit}.', en: 'Must not be after {limit}.' },
  no_word: { id: 'Harus berisi huruf atau angka.', en: 'Must contain a letter or a digit.' },
  invalid: { id: 'Tidak valid.', en: 'Is not acceptable.' },
} as const satisfies Record<string, { id: string; en: string }>;

export type FieldRule = keyof typeof fieldSentences;

/** What people call a field that a sentence about another one names. */
export const fieldNames: Readonly<Record<string, { id: string; en: string }>> = {
  start_time: { id: 'jam mulai', en: 'the start time' },
  start_date: { id: 'tanggal mulai', en: 'the start date' },
  valid_from: { id: 'tanggal mulai berlaku', en: 'the date from which it holds' },
  from: { id: 'tanggal awal', en: 'the first date' },
};

/** The service cannot do this now and the client may try again: a full queue, a busy or absent database. */
export class Unavailable extends Error {}
