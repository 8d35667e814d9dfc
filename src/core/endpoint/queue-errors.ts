import type { Sentence } from './sentences.ts';

/** The failures of series, of calendar addresses, of queues and of what the clinic reads of its day, in the catalogue. */
export const queueFailures = {
  queue_empty: {
    status: 409,
    id: 'Belum ada pasien lain yang sudah check-in dan menunggu dipanggil.',
    en: 'No other patient has checked in and waits to be called.',
  },
  check_in_closed: {
    status: 409,
    id: 'Check-in belum atau tidak lagi dibuka untuk janji temu ini. Silakan ke meja pendaftaran.',
    en: 'Check-in is not open for this booking. Please go to the reception.',
  },
  prefix_taken: {
    status: 409,
    id: 'Huruf ini sudah dipakai antrean lain. Silakan pilih huruf lain.',
    en: 'Another queue has these letters. Please choose others.',
  },
  series_conflict: {
    status: 409,
    id: 'Tidak ada yang dipesan karena ada tanggal yang tidak tersedia.',
    en: 'Nothing was booked, since not every date is available.',
  },
  feeds_full: {
    status: 409,
    id: 'Anda sudah memiliki {limit} langganan kalender. Hapus salah satunya terlebih dahulu.',
    en: 'You have {limit} calendar {limit:subscription|subscriptions} already. Please delete one of them first.',
  },
  changes_gone: { status: 410, id: 'Daftar usang. Silakan muat ulang.', en: 'Stale list. Please reload it.' },
} as const satisfies Record<string, Sentence & { status: number }>;

export const waitlistFailures = {
  no_offer: {
    status: 409,
    id: 'Saat ini tidak ada tempat yang ditawarkan untuk Anda. Tawaran yang lewat waktunya diberikan kepada pasien berikutnya.',
    en: 'No seat is offered now. One that was not accepted in time goes to the next.',
  },
  already_waiting: {
    status: 409,
    id: 'Pasien ini sudah ada di daftar tunggu untuk layanan ini.',
    en: 'This patient is on the waitlist for this already.',
  },
  waitlist_full: {
    status: 409,
    id: 'Anda sudah memiliki 10 permintaan di daftar tunggu. Hapus salah satunya terlebih dahulu.',
    en: 'You have 10 wishes on the waitlist already. Please remove one of them first.',
  },
} as const satisfies Record<string, Sentence & { status: number }>;
