/** The sentences of successful writes, in the languages that a client may prefer. */
export const messages = {
  registered: { id: 'Registrasi berhasil.', en: 'Registration succeeded.' },
  logged_out: { id: 'Logout berhasil.', en: 'Logout succeeded.' },
  booking_created: { id: 'Janji temu berhasil dibuat.', en: 'The booking was created.' },
  booking_canceled: { id: 'Janji temu berhasil dibatalkan.', en: 'The booking was canceled.' },
  created: { id: 'Data berhasil ditambahkan.', en: 'Added.' },
  changed: { id: 'Data berhasil diubah.', en: 'Changed.' },
  retired: { id: 'Data berhasil dinonaktifkan.', en: 'Taken out of service.' },
  deleted: { id: 'Data berhasil dihapus.', en: 'Deleted.' },
} as const satisfies Record<string, { id: string; en: string }>;

export type MessageKey = keyof typeof messages;
export type Language = 'id' | 'en';
