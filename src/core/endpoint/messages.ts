import type { Sentence, ValueNames } from './sentences.ts';

/** The sentences of successful writes, in the languages that a client may prefer. */
export const messages = {
  registered: { id: 'Registrasi berhasil.', en: 'Registration succeeded.' },
  profile_changed: { id: 'Profil berhasil diperbarui.', en: 'The profile was changed.' },
  password_changed: {
    id: 'Kata sandi berhasil diubah. Anda telah keluar dari semua perangkat lain.',
    en: 'The password was changed. You were logged out of all other devices.',
  },
  reset_requested: {
    id: 'Jika email ini terdaftar, petunjuk untuk mengatur ulang kata sandi telah kami kirim dan berlaku {lifetime}. Periksa juga folder spam.',
    en: 'If this e-mail is registered, we have sent instructions to reset the password, which hold for {lifetime}. Please look into the spam folder, too.',
  },
  password_reset: {
    id: 'Kata sandi berhasil diatur ulang. Silakan masuk kembali.',
    en: 'The password was reset. Please log in again.',
  },
  login_code_sent: {
    id: 'Kode untuk masuk telah kami kirim ke email ini dan berlaku {lifetime}. Periksa juga folder spam.',
    en: 'We have sent a code to log in to this e-mail, which holds for {lifetime}. Please look into the spam folder, too.',
  },
  phone_code_sent: {
    id: 'Kode untuk masuk sedang kami kirim ke nomor ini dan berlaku {lifetime}.',
    en: 'A code to log in is on its way to this number and holds for {lifetime}.',
  },
  slot_held: {
    id: 'Jadwal ini kami tahan untuk Anda selama 5 menit.',
    en: 'We hold this slot for you for 5 minutes.',
  },
  hold_released: { id: 'Jadwal ini sudah Anda lepaskan.', en: 'The slot was given back.' },
  email_code_sent: {
    id: 'Kode verifikasi telah kami kirim ke email Anda.',
    en: 'We have sent a code to your e-mail.',
  },
  email_proved: { id: 'Email Anda berhasil diverifikasi.', en: 'Your e-mail is proved.' },
  device_ended: {
    id: 'Anda telah keluar dari perangkat tersebut.',
    en: 'You were logged out of that device.',
  },
  devices_ended: {
    id: 'Anda telah keluar dari semua perangkat lain.',
    en: 'You were logged out of all other devices.',
  },
  second_factor_begun: {
    id: 'Pindai kode QR dengan aplikasi autentikator, lalu masukkan kodenya.',
    en: 'Scan the QR code with an authenticator app, then enter its code.',
  },
  second_factor_added: {
    id: 'Verifikasi dua langkah telah aktif. Simpan kode pemulihan di tempat yang aman.',
    en: 'The second factor is set up. Please keep the recovery codes in a safe place.',
  },
  passkey_added: {
    id: 'Kunci sandi telah ditambahkan.',
    en: 'The passkey was added.',
  },
  second_factor_removed: {
    id: 'Verifikasi dua langkah telah dihapus.',
    en: 'The second factor was taken away.',
  },
  recovery_codes_made: {
    id: 'Kode pemulihan baru telah dibuat. Kode yang lama tidak berlaku lagi.',
    en: 'New recovery codes were made. Those of before are void.',
  },
  confirmation_code_sent: {
    id: 'Kode konfirmasi sedang kami kirim kepada Anda dan berlaku {lifetime}.',
    en: 'A code to confirm is on its way to you and holds for {lifetime}.',
  },
  reauthenticated: { id: 'Identitas Anda telah dikonfirmasi.', en: 'You have confirmed who you are.' },
  person_deactivated: {
    id: 'Akun telah dinonaktifkan dan keluar dari semua perangkat.',
    en: 'The account was shut and logged out of all devices.',
  },
  person_reactivated: { id: 'Akun telah diaktifkan kembali.', en: 'The account was opened again.' },
  person_device_ended: {
    id: 'Akun telah keluar dari perangkat ini.',
    en: 'The person was logged out on this device.',
  },
  person_devices_ended: {
    id: 'Akun telah keluar dari semua perangkat.',
    en: 'The account was logged out of all devices.',
  },
  email_change_sent: {
    id: 'Kode verifikasi telah kami kirim ke alamat email yang baru.',
    en: 'We have sent a code to the new e-mail.',
  },
  email_changed: { id: 'Email Anda berhasil diubah.', en: 'Your e-mail was changed.' },
  phone_change_sent: {
    id: 'Kode verifikasi sedang kami kirim ke nomor ini dan berlaku {lifetime}.',
    en: 'A code is on its way to this number and holds for {lifetime}.',
  },
  phone_changed: {
    id: 'Nomor untuk masuk berhasil disimpan. Anda telah keluar dari semua perangkat lain.',
    en: 'The phone to log in with was saved. You were logged out of all other devices.',
  },
  phone_removed: {
    id: 'Nomor tersebut tidak lagi digunakan untuk masuk.',
    en: 'That phone no longer logs you in.',
  },
  account_deleted: {
    id: 'Akun dan data diri Anda telah dihapus.',
    en: 'Your account and your data were deleted.',
  },
  patient_deleted: { id: 'Data pasien telah dihapus.', en: "The patient's data were deleted." },
  consent_noted: { id: 'Pilihan Anda telah dicatat.', en: 'Your choice was noted.' },
  test_mail_sent: {
    id: 'Surat percobaan telah dikirim ke email Anda. Periksa juga folder spam.',
    en: 'A trial letter was sent to your e-mail. Please look into the spam folder, too.',
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
  offer_accepted: {
    id: 'Tawaran diterima. Ini janji temu Anda.',
    en: 'The offer was accepted. This is your booking.',
  },
  offer_declined: {
    id: 'Tawaran ditolak. Anda tetap berada di daftar tunggu.',
    en: 'The offer was declined. You stay on the waitlist.',
  },
  series_booked: { id: 'Janji temu berhasil dibuat.', en: 'The bookings were made.' },
  series_canceled: {
    id: 'Janji temu mendatang dalam rangkaian ini telah dibatalkan.',
    en: 'What was to come of the series was canceled.',
  },
  family_claimed: {
    id: 'Data pasien berhasil dihubungkan dengan akun Anda.',
    en: 'The record was linked to your account.',
  },
  match_confirmed: {
    id: 'Catatan ini sekarang menjadi bagian dari data pasien, dan pasien diberi tahu melalui email.',
    en: "The record is now part of the patient's own, and the patient is told by mail.",
  },
  match_declined: {
    id: 'Catatan ini tidak akan ditawarkan lagi untuk pasien tersebut.',
    en: 'This record will not be offered for this patient again.',
  },
  patient_merged: { id: 'Data pasien berhasil digabungkan.', en: 'The records were merged.' },
  merge_previewed: {
    id: 'Data pasien dapat digabungkan. Belum ada yang diubah.',
    en: 'The records can be merged. Nothing was changed.',
  },
  closure_resolved: {
    id: 'Janji temu pada waktu tutup ini telah diproses.',
    en: 'The bookings under this closure were dealt with.',
  },
  closure_previewed: {
    id: 'Ini hasil yang diperkirakan. Belum ada yang diubah.',
    en: 'This is what would be done. Nothing was changed.',
  },
  import_known: {
    id: 'Impor berkas ini sudah pernah dimulai.',
    en: 'The import of this file was begun before.',
  },
  imported: { id: 'Baris-baris ini telah diproses.', en: 'These rows were dealt with.' },
  created: { id: 'Data berhasil ditambahkan.', en: 'Added.' },
  changed: { id: 'Data berhasil diubah.', en: 'Changed.' },
  retired: { id: 'Data berhasil dinonaktifkan.', en: 'Taken out of service.' },
  deleted: { id: 'Data berhasil dihapus.', en: 'Deleted.' },
} as const satisfies Record<string, Sentence>;

/** The text of a booking in a person's calendar, in addition to its time. */
export const calendarNote = (code: string, queueLabel: string) => ({
  id: `Kode ${code}, nomor antrean ${queueLabel}`,
  en: `Code ${code}, queue number ${queueLabel}`,
});

/** The same without any detail of the visit. */
export const calendarTitle = (code: string) => ({ id: `Janji temu ${code}`, en: `Booking ${code}` });

/** The title of a visit that is canceled: most calendars show its state nowhere else. */
export const calendarCanceled = (title: string) => ({ id: `Dibatalkan: ${title}`, en: `Canceled: ${title}` });

export type MessageKey = keyof typeof messages;

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
