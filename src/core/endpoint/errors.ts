import { accessErrors } from './access-errors.ts';
import type { FieldIssue } from './field-sentences.ts';
import { queueFailures, waitlistFailures } from './queue-errors.ts';
import type { Sentence, ValueNames } from './sentences.ts';

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
    id: 'Email atau kata sandi salah. Silakan periksa lalu coba lagi.',
    en: 'The e-mail or the password is wrong. Please check both and try again.',
  },
  ...accessErrors,
  forbidden: {
    status: 403,
    id: 'Anda tidak memiliki izin untuk tindakan ini.',
    en: 'You have no permission to do this.',
  },
  not_found: { status: 404, id: 'Data tidak ditemukan.', en: 'This was not found.' },
  method_not_allowed: {
    status: 405,
    id: 'Metode ini tidak didukung.',
    en: 'This method is not supported here.',
  },
  not_acceptable: {
    status: 406,
    id: 'Jawaban hanya tersedia dalam JSON.',
    en: 'Answers come in JSON alone.',
  },
  email_taken: { status: 409, id: 'Email ini sudah terdaftar.', en: 'This e-mail is already registered.' },
  slot_full: {
    status: 409,
    id: 'Jadwal ini sudah penuh. Silakan pilih jadwal lain.',
    en: 'This slot is full. Please choose another one.',
  },
  patient_busy: {
    status: 409,
    id: 'Pasien sudah memiliki janji temu lain pada waktu tersebut.',
    en: 'The patient already has another booking at that time.',
  },
  too_many_bookings: {
    status: 409,
    id: 'Pasien sudah mencapai batas {limit} janji temu mendatang.',
    en: 'The patient has reached the limit of {limit} coming {limit:booking|bookings}.',
  },
  email_unproved: {
    status: 409,
    id: 'Silakan verifikasi email Anda terlebih dahulu.',
    en: 'Please prove your e-mail first.',
  },
  family_full: {
    status: 409,
    id: 'Anda hanya dapat menambahkan paling banyak 10 anggota keluarga, dan 10 penambahan dalam setahun.',
    en: 'You can have at most 10 family members, and add at most 10 in a year.',
  },
  treated_already: {
    status: 409,
    id: 'Tanggal lahir dan nomor identitas pasien yang sudah berkunjung hanya dapat diubah oleh klinik.',
    en: 'Once a patient has visited, only the clinic can change the date of birth and the numbers.',
  },
  bookings_coming: {
    status: 409,
    id: 'Anggota keluarga ini masih memiliki janji temu mendatang. Batalkan terlebih dahulu.',
    en: 'This family member still has coming bookings. Please cancel them first.',
  },
  patient_exists: {
    status: 409,
    id: 'Pasien dengan nomor identitas ini sudah terdaftar.',
    en: 'A patient with this number is already registered.',
  },
  external_id_taken: {
    status: 409,
    id: 'ID dari sistem lain ini sudah dipakai oleh data lain.',
    en: 'Another record has this id of another system.',
  },
  slug_taken: {
    status: 409,
    id: 'Alamat halaman ini sudah dipakai, atau pernah dipakai, oleh dokter lain. Silakan pilih alamat lain.',
    en: 'Another doctor has this address of a page, or had it. Please choose another one.',
  },
  merge_conflict: {
    status: 409,
    id: 'Kedua pasien memiliki janji temu pada waktu yang sama. Pindahkan atau batalkan salah satunya terlebih dahulu.',
    en: 'The two patients have bookings at the same time. Please move or cancel one of them first.',
  },
  patient_has_account: {
    status: 409,
    id: 'Data pasien ini memiliki akun. Gabungkan data tanpa akun ke data ini; dua akun dari orang yang sama digabungkan oleh petugas klinik.',
    en: 'This record has an account. Please merge a record without one into it; two accounts of one person are joined by the staff of the clinic.',
  },
  account_deactivated: {
    status: 409,
    id: 'Salah satu akun dinonaktifkan. Admin harus mengaktifkannya kembali terlebih dahulu.',
    en: 'One of the accounts is deactivated. An admin has to reactivate it first.',
  },
  account_unproved: {
    status: 409,
    id: 'Email akun yang dipertahankan belum diverifikasi. Minta pasien memverifikasinya dahulu, atau pertahankan akun yang lain.',
    en: 'The e-mail of the account to be kept was never proved. Please have the patient verify it first, or keep the other account.',
  },
  birth_dates_differ: {
    status: 409,
    id: 'Tanggal lahir pada kedua data tidak sama atau belum diisi. Periksa kartu identitasnya, lalu konfirmasikan.',
    en: 'The dates of birth of both are not the same, or one is missing. Please check the identity card, and confirm.',
  },
  patient_merged: {
    status: 409,
    id: 'Data pasien ini sudah digabungkan ke data lain.',
    en: 'This record was already merged into another one.',
  },
  match_closed: {
    status: 409,
    id: 'Catatan ini sudah diputuskan, sudah menjadi milik pasien, atau datanya tidak sama lagi. Muat ulang daftar.',
    en: 'This was decided already, the record belongs to somebody by now, or the data differ. Please read the list again.',
  },
  birth_date_missing: {
    status: 409,
    id: 'Tanggal lahir pasien belum diisi. Lengkapi terlebih dahulu.',
    en: 'The date of birth of this patient is missing. Please enter it first.',
  },
  idempotency_key_spent: {
    status: 409,
    id: 'Permintaan ini sudah dikerjakan, tetapi jawabannya tidak sampai dan hanya diberikan satu kali. Periksa hasilnya sebelum mengulangi.',
    en: 'This request was done already, and its answer is given only once. Please look at what it made before you repeat it.',
  },
  possible_duplicate: {
    status: 409,
    id: 'Pasien ini mungkin sudah terdaftar. Periksa daftar yang mirip, atau konfirmasi bahwa ini pasien lain.',
    en: 'This patient may be registered already. Check those who look alike, or confirm that it is somebody else.',
  },
  import_moved_on: {
    status: 409,
    id: 'Impor ini sudah selesai, atau sudah sampai di baris lain. Lanjutkan dari baris yang terakhir diterima.',
    en: 'This import is over, or stands at another row. Go on after the last row that was taken.',
  },
  import_of_other_kind: {
    status: 409,
    id: 'Impor ini untuk data jenis lain. Mulai impor baru.',
    en: 'This import is of another kind of rows. Begin another one.',
  },
  invalid_transition: {
    status: 409,
    id: 'Tindakan ini tidak dapat dilakukan pada janji temu ini sekarang.',
    en: 'This cannot be done to the booking as it stands.',
  },
  ...queueFailures,
  ...waitlistFailures,
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
  room_shared: {
    status: 409,
    id: 'Ruang ini sudah dipakai dokter lain pada waktu yang sama.',
    en: 'Another doctor has this room at the same time.',
  },
  payload_too_large: {
    status: 413,
    id: 'Isi permintaan terlalu besar (maksimal {kilobytes} KB).',
    en: 'The request body is too large (at most {kilobytes} KB).',
  },
  unsupported_media_type: {
    status: 415,
    id: 'Isi permintaan harus berupa application/json dalam UTF-8.',
    en: 'The request body must be application/json in UTF-8.',
  },
  validation_failed: {
    status: 422,
    id: 'Data yang Anda kirim belum sesuai. Silakan periksa kembali.',
    en: 'Some of what you sent is not acceptable. Please check it.',
  },
  reset_token_invalid: {
    status: 422,
    id: 'Tautan atau kode ini tidak berlaku lagi (berlaku {lifetime} dan hanya untuk satu kali pakai). Silakan minta yang baru.',
    en: 'This link or code is not valid any more (it holds for {lifetime} and can be used once). Please ask for a new one.',
  },
  doctor_not_found: {
    status: 422,
    id: 'Dokter tidak ditemukan. Silakan pilih dokter lain.',
    en: 'The doctor was not found. Please choose another one.',
  },
  email_code_invalid: {
    status: 422,
    id: 'Kode ini salah atau tidak berlaku lagi. Silakan periksa kembali atau minta kode baru.',
    en: 'This code is wrong or no longer valid. Please check it or ask for a new one.',
  },
  phone_code_invalid: {
    status: 422,
    id: 'Kode ini salah atau tidak berlaku lagi. Silakan periksa kembali atau minta kode baru.',
    en: 'This code is wrong or no longer valid. Please check it or ask for a new one.',
  },

  questions_changed: {
    status: 409,
    id: 'Klinik baru saja mengubah pertanyaannya. Silakan periksa jawaban Anda dan kirim lagi.',
    en: 'The clinic has just changed the questions. Please check your answers and send them again.',
  },
  arrival_unknown: {
    status: 422,
    id: 'Kode atau tanggal lahir tidak cocok. Periksa kembali, atau silakan ke meja pendaftaran.',
    en: 'The code or the date of birth does not match. Please check both, or go to the reception.',
  },
  claim_code_invalid: {
    status: 422,
    id: 'Kode atau tanggal lahir salah, atau kode tidak berlaku lagi. Silakan hubungi klinik.',
    en: 'The code or the date of birth is wrong, or the code is no longer valid. Please ask the clinic.',
  },
  session_not_offered: {
    status: 422,
    id: 'Layanan ini tidak tersedia pada dokter tersebut. Silakan pilih layanan atau dokter lain.',
    en: 'This doctor does not offer this session. Please choose another session or doctor.',
  },
  slot_unavailable: {
    status: 422,
    id: 'Jadwal ini tidak dapat dipesan. Silakan pilih jadwal lain.',
    en: 'This slot cannot be booked. Please choose another one.',
  },
  idempotency_key_reused: {
    status: 422,
    id: 'Permintaan sebelumnya sudah dikerjakan, dengan isian yang lain. Periksa hasilnya sebelum mengulangi.',
    en: 'An earlier request under the same key was done, with other contents. Please look at what it made before you repeat it.',
  },
  rate_limited: {
    status: 429,
    id: 'Terlalu banyak percobaan. Silakan coba lagi dalam {wait}.',
    en: 'Too many attempts. Please try again in {wait}.',
  },
  internal: {
    status: 500,
    id: 'Terjadi kesalahan pada sistem kami. Silakan coba beberapa saat lagi.',
    en: 'Something went wrong on our side. Please try again later.',
  },
  unavailable: {
    status: 503,
    id: 'Layanan sedang sibuk. Silakan coba beberapa saat lagi.',
    en: 'The service is busy. Please try again in a moment.',
  },
} as const satisfies Record<string, Sentence & { status: number }>;

export type ErrorCode = keyof typeof catalogue;

/** The codes whose sentence has placeholders: code that fails with one must pass the values. */
type CodeWithValues = {
  [C in ErrorCode]: [ValueNames<(typeof catalogue)[C]>] extends [never] ? never : C;
}[ErrorCode];

/** Extra facts that a failure carries for the client: fields of the body, and headers. */
export interface FailureDetails {
  /** Further members of the error's body, such as `alternatives` or `booking_status`. */
  extras?: Readonly<Record<string, unknown>>;
  headers?: Readonly<Record<string, string>>;
  /** Says more than the catalogue's sentence does. */
  sentence?: Sentence;
  issues?: readonly FieldIssue[];
  /** The patients named in its extras, for the audit trail. */
  seen?: readonly string[];
}

/** A failure from the catalogue. Thrown by actions, turned into an answer in one place. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly details: FailureDetails;
  constructor(code: CodeWithValues, details: FailureDetails & { sentence: Sentence });
  constructor(code: Exclude<ErrorCode, CodeWithValues>, details?: FailureDetails);
  constructor(code: ErrorCode, details: FailureDetails = {}) {
    super(code);
    this.code = code;
    this.details = details;
  }

  /** The same failure with further headers; its own win. */
  withHeaders(headers: Readonly<Record<string, string>>): Failure {
    // Whatever sentence its code needs was given when it was made.
    type Whole = FailureDetails & { sentence: Sentence };
    const details = { ...this.details, headers: { ...headers, ...this.details.headers } } as Whole;
    return new Failure(this.code as CodeWithValues, details);
  }
}

/** The service cannot do this now and the client may try again: a full queue, a busy or absent database. */
export class Unavailable extends Error {}

/** The first cause of a kind in the chain of causes, since drivers wrap their errors. */
export const findCause = <T extends Error>(
  error: unknown,
  kind: abstract new (...args: never) => T,
): T | null => {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof kind) return cause;
  return null;
};
