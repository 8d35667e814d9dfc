// What Mobile JKN shows to patients, in the words that BPJS's clinics use. Mobile JKN speaks Indonesian alone.

/** A sentence for Mobile JKN: there is no other language. */
const shown = <const Text extends string>(id: Text) => ({ id, en: id });

export const antreanSentences = {
  ok: shown('Ok'),
  wrong_login: shown('Username atau Password Tidak Sesuai'),
  wrong_token: shown('Token salah atau sudah kedaluwarsa'),
  invalid: shown('Permintaan tidak dapat diproses. Silakan periksa data Anda.'),
  new_patient: shown('Data pasien ini tidak ditemukan, silahkan Melakukan Registrasi Pasien Baru'),
  registered: shown('Harap datang ke admisi untuk melengkapi data rekam medis'),
  mixed_patient: shown(
    'Nomor Kartu dan NIK tidak sesuai dengan data pasien di faskes. Silakan hubungi bagian pendaftaran.',
  ),
  blank: shown('{field} tidak boleh kosong'),
  digits: shown('{field} harus {count} digit'),
  form: shown('Format {field} tidak sesuai'),
  date_form: shown('Format Tanggal Tidak Sesuai, format yang benar adalah yyyy-mm-dd'),
  date_off: shown('Tanggal Periksa Tidak Berlaku'),
  birth_date: shown('Tanggal Lahir tidak sesuai'),
  no_poli: shown('Poli Tidak Ditemukan'),
  no_doctor: shown('Dokter tidak ditemukan'),
  no_kind: shown('Jenis Kunjungan tidak ditemukan'),
  poli_closed: shown('Pendaftaran ke Poli Ini Sedang Tutup'),
  no_shift: shown(
    'Jadwal Dokter {doctor} Tersebut Belum Tersedia, Silahkan Reschedule Tanggal dan Jam Praktek Lainnya',
  ),
  full: shown('Kuota antrean pada jadwal ini sudah penuh. Silakan pilih jadwal lain.'),
  busy: shown('Anda sudah memiliki antrean lain pada waktu yang sama.'),
  once: shown('Nomor Antrean Hanya Dapat Diambil 1 Kali Pada Tanggal Yang Sama'),
  referral_used: shown('Anda sudah terdaftar dalam antrian menggunakan nomor referensi yang sama'),
  not_found: shown('Antrean Tidak Ditemukan'),
  not_found_or_canceled: shown('Antrean Tidak Ditemukan atau Sudah Dibatalkan'),
  served: shown('Pasien Sudah Dilayani, Antrean Tidak Dapat Dibatalkan'),
  cancel_over: shown('Pembatalan Antrean tidak berlaku mundur'),
  check_in_over: shown('Waktu Checkin tidak berlaku mundur'),
  check_in_early: shown('Checkin hanya dapat dilakukan pada tanggal periksa'),
  remark: shown('Peserta harap hadir 30 menit sebelum jadwal.'),
} as const;
