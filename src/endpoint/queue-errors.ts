import type { Sentence } from './sentences.ts';

/** The failures of queues and of what the clinic reads of its day, in the catalogue. */
export const queueFailures = {
  queue_empty: {
    status: 409,
    id: 'Belum ada pasien lain yang sudah check-in dan menunggu dipanggil.',
    en: 'No other patient has checked in and waits to be called.',
  },
  prefix_taken: {
    status: 409,
    id: 'Huruf ini sudah dipakai antrean lain. Silakan pilih huruf lain.',
    en: 'Another queue has these letters. Please choose others.',
  },
  changes_gone: { status: 410, id: 'Daftar usang. Silakan muat ulang.', en: 'Stale list. Please reload it.' },
} as const satisfies Record<string, Sentence & { status: number }>;
