import type { Sentence, ValueNames } from './sentences.ts';

/** The sentences of successful writes, in the languages that a client may prefer. */
export const messages = {
  reset_requested: {
    id: 'Jika email ini terdaftar, petunjuk untuk mengatur ulang kata sandi telah kami kirim dan berlaku {lifetime}. Periksa juga folder spam.',
    en: 'If this e-mail is registered, we have sent instructions to reset the password, which hold for {lifetime}. Please look into the spam folder, too.',
  },
  login_code_sent: {
    id: 'Kode untuk masuk telah kami kirim ke email ini dan berlaku {lifetime}. Periksa juga folder spam.',
    en: 'We have sent a code to log in to this e-mail, which holds for {lifetime}. Please look into the spam folder, too.',
  },
  phone_code_sent: {
    id: 'Kode untuk masuk sedang kami kirim ke nomor ini dan berlaku {lifetime}.',
    en: 'A code to log in is on its way to this number and holds for {lifetime}.',
  },
  confirmation_code_sent: {
    id: 'Kode konfirmasi sedang kami kirim kepada Anda dan berlaku {lifetime}.',
    en: 'A code to confirm is on its way to you and holds for {lifetime}.',
  },
  email_change_sent: {
    id: 'Kode verifikasi telah kami kirim ke alamat email yang baru.',
    en: 'We have sent a code to the new e-mail.',
  },
  phone_change_sent: {
    id: 'Kode verifikasi sedang kami kirim ke nomor ini dan berlaku {lifetime}.',
    en: 'A code is on its way to this number and holds for {lifetime}.',
  },
  logged_out: { id: 'Anda telah keluar.', en: 'You have logged out.' },
  booking_created_waiting: {
    id: 'Janji temu berhasil dibuat dan sedang menunggu persetujuan klinik.',
    en: 'The booking was made and is waiting for the approval of the clinic.',
  },
  booking_created: { id: 'Janji temu berhasil dibuat.', en: 'The booking was made.' },
  booking_approved: { id: 'Janji temu telah disetujui.', en: 'The booking was approved.' },
  booking_rejected: { id: 'Janji temu telah ditolak.', en: 'The booking was rejected.' },
  booking_rescheduled_waiting: {
    id: 'Janji temu berhasil dijadwalkan ulang dan sedang menunggu persetujuan klinik.',
    en: 'The booking was moved and is waiting for the approval of the clinic.',
  },
  booking_rescheduled: { id: 'Janji temu berhasil dijadwalkan ulang.', en: 'The booking was moved.' },
  booking_checked_in: { id: 'Kedatangan pasien telah dicatat.', en: 'The patient was checked in.' },
  checked_in_without_desk: {
    id: 'Anda sudah check-in. Silakan tunggu sampai nomor Anda dipanggil.',
    en: 'You are checked in. Please wait until your number is called.',
  },
  booking_called: { id: 'Pasien telah dipanggil.', en: 'The patient was called.' },
  booking_skipped: {
    id: 'Pasien dilewati dan kembali menunggu dalam antrean.',
    en: 'The patient was skipped and waits in the queue again.',
  },
  booking_completed: { id: 'Kunjungan telah selesai.', en: 'The visit was completed.' },
  booking_no_show: {
    id: 'Pasien dicatat tidak hadir.',
    en: 'The patient was recorded as not having come.',
  },
  booking_undone: { id: 'Langkah terakhir telah dibatalkan.', en: 'The last step was taken back.' },
  booking_canceled: { id: 'Janji temu berhasil dibatalkan.', en: 'The booking was canceled.' },
  patient_merged: { id: 'Data pasien berhasil digabungkan.', en: 'The records were merged.' },
  merge_previewed: {
    id: 'Data pasien dapat digabungkan. Belum ada yang diubah.',
    en: 'The records can be merged. Nothing was changed.',
  },
  closure_previewed: {
    id: 'Ini hasil yang diperkirakan. Belum ada yang diubah.',
    en: 'This is what would be done. Nothing was changed.',
  },
  confirmed: { id: 'Identitas Anda telah dikonfirmasi.', en: 'You have confirmed who you are.' },
  created: { id: 'Data berhasil ditambahkan.', en: 'Added.' },
  changed: { id: 'Data berhasil diubah.', en: 'Changed.' },
  webhook_test_received: { id: 'Pesan percobaan telah diterima.', en: 'The test was received.' },
  webhook_test_failed: { id: 'Pesan percobaan tidak diterima.', en: 'The test was not received.' },
  sent_again: { id: 'Sedang dikirim ulang.', en: 'It is being sent again.' },
  retired: { id: 'Data berhasil dinonaktifkan.', en: 'Taken out of service.' },
  deleted: { id: 'Data berhasil dihapus.', en: 'Deleted.' },
} as const satisfies Record<string, Sentence>;

/** The text of a booking in a person's calendar, in addition to its time. */
export const calendarNote = (code: string, queueLabel: string) => ({
  id: `Kode ${code}, nomor antrean ${queueLabel}`,
  en: `Code ${code}, queue number ${queueLabel}`,
});

/** The answer to a reminder, as its page and its letter offer it; with a name it is about one of the family. */
export const comes = {
  id: (name: string | null) => (name === null ? 'Saya datang' : `${name} akan datang`),
  en: (name: string | null) => `${name ?? 'I'} will come`,
};

/** The same without any detail of the visit. */
export const calendarTitle = (code: string) => ({ id: `Janji temu ${code}`, en: `Booking ${code}` });

/** The title of a visit that is canceled: most calendars show its state nowhere else. */
export const calendarCanceled = (title: string) => ({ id: `Dibatalkan: ${title}`, en: `Canceled: ${title}` });

export type MessageKey = keyof typeof messages;

/** The sentence of a key, or the one that stands for itself. */
export const sentenceOf = (message: MessageKey | Sentence): Sentence =>
  typeof message === 'string' ? messages[message] : message;

/** The sentences without values, which are named by their key only. */
export type WholeMessageKey = {
  [K in MessageKey]: [ValueNames<(typeof messages)[K]>] extends [never] ? K : never;
}[MessageKey];

/** The message for a booking that was made or moved, by its present state. */
export const bookingMessage = (
  what: 'booking_created' | 'booking_rescheduled',
  status: string,
): WholeMessageKey => (status === 'waiting' ? `${what}_waiting` : what);
/** The first one unless asked. */
export const languages = ['id', 'en'] as const;
export type Language = (typeof languages)[number];
