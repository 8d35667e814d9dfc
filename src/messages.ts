/** The sentences of successful writes, in the languages that a client may prefer. */
export const messages = {
  registered: { id: 'Registrasi berhasil.', en: 'Registration succeeded.' },
  profile_changed: { id: 'Profil berhasil diperbarui.', en: 'The profile was changed.' },
  password_changed: {
    id: 'Kata sandi berhasil diubah. Perangkat lain telah dikeluarkan.',
    en: 'The password was changed. Other devices were logged out.',
  },
  reset_requested: {
    id: 'Jika email ini terdaftar, petunjuk untuk mengatur ulang kata sandi telah kami kirim.',
    en: 'If this e-mail is registered, we have sent instructions to reset the password.',
  },
  password_reset: {
    id: 'Kata sandi berhasil diatur ulang. Silakan masuk kembali.',
    en: 'The password was reset. Please log in again.',
  },
  email_code_sent: {
    id: 'Kode verifikasi telah kami kirim ke email Anda.',
    en: 'We have sent a code to your e-mail.',
  },
  email_proved: { id: 'Email Anda berhasil diverifikasi.', en: 'Your e-mail is proved.' },
  device_ended: { id: 'Perangkat berhasil dikeluarkan.', en: 'The device was logged out.' },
  devices_ended: { id: 'Perangkat lain berhasil dikeluarkan.', en: 'The other devices were logged out.' },
  logged_out: { id: 'Logout berhasil.', en: 'Logout succeeded.' },
  booking_created: { id: 'Janji temu berhasil dibuat.', en: 'The booking was created.' },
  booking_approved: { id: 'Janji temu telah disetujui.', en: 'The booking was approved.' },
  booking_rejected: { id: 'Janji temu telah ditolak.', en: 'The booking was rejected.' },
  booking_rescheduled: { id: 'Janji temu berhasil dijadwalkan ulang.', en: 'The booking was rescheduled.' },
  booking_checked_in: { id: 'Kedatangan pasien telah dicatat.', en: 'The patient was checked in.' },
  booking_called: { id: 'Pasien telah dipanggil.', en: 'The patient was called.' },
  booking_completed: { id: 'Kunjungan telah selesai.', en: 'The visit was completed.' },
  booking_no_show: {
    id: 'Pasien dicatat tidak hadir.',
    en: 'The patient was recorded as not having come.',
  },
  booking_canceled: { id: 'Janji temu berhasil dibatalkan.', en: 'The booking was canceled.' },
  created: { id: 'Data berhasil ditambahkan.', en: 'Added.' },
  changed: { id: 'Data berhasil diubah.', en: 'Changed.' },
  retired: { id: 'Data berhasil dinonaktifkan.', en: 'Taken out of service.' },
  deleted: { id: 'Data berhasil dihapus.', en: 'Deleted.' },
} as const satisfies Record<string, { id: string; en: string }>;

/** What a person's calendar says of a booking beside its time. */
export const calendarNote = (code: string, queueNumber: number) => ({
  id: `Kode ${code}, nomor antrean ${queueNumber}`,
  en: `Code ${code}, queue number ${queueNumber}`,
});

export type MessageKey = keyof typeof messages;
export type Language = 'id' | 'en';
