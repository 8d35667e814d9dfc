import type { Sentence } from '../../core/endpoint/sentences.ts';

/** What operators are refused beside the failures of every endpoint, in both languages. */
export const operatorRefusals = {
  secret_required: {
    status: 403,
    id: 'Hanya OPERATOR_SECRET yang dapat melakukan ini.',
    en: 'This takes OPERATOR_SECRET.',
  },
  clinic_open: {
    status: 409,
    id: 'Klinik masih dibuka. Tutup dahulu.',
    en: 'The clinic is open: close it first.',
  },
  clinic_in_use: {
    status: 409,
    id: 'Klinik baru saja ditutup dan mungkin masih dipakai. Coba lagi dua menit kemudian.',
    en: 'The clinic was closed a moment ago and may be in use still: try again two minutes later.',
  },
  copy_not_made: { status: 409, id: 'Salinan tidak dapat dibuat.', en: 'The copy cannot be made.' },
  copy_refused: { status: 422, id: 'Salinan tidak dapat diterima.', en: 'The copy cannot be taken.' },
  part_out_of_turn: {
    status: 409,
    id: 'Bagian salinan yang lain ditunggu.',
    en: 'Another part of the copy is expected.',
  },
  settings_refused: {
    status: 422,
    id: 'Pengaturan tidak dapat diterima.',
    en: 'The settings cannot be accepted.',
  },
  operator_refused: { status: 422, id: 'Akun tidak dapat dibuat.', en: 'The account cannot be made.' },
  rewind_not_offered: {
    status: 409,
    id: 'Pemulihan ke waktu lampau tidak tersedia di sini.',
    en: 'Going back to a point in time is not offered here.',
  },
  signup_approved: {
    status: 409,
    id: 'Permohonan ini sudah disetujui. Setujui sekali lagi untuk mengirim tautannya.',
    en: 'This request was approved already: approve it again to send its link.',
  },
} as const satisfies Record<string, Sentence & { status: number }>;

type OperatorRefusalCode = keyof typeof operatorRefusals;

/** A refusal in words for the operator; `detail` says in English what exactly is wrong. */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal';
  readonly code: OperatorRefusalCode;
  readonly extras: Readonly<Record<string, unknown>>;

  constructor(code: OperatorRefusalCode, extras: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.extras = extras;
  }
}
