import type { Sentence } from './sentences.ts';

/** The failures of second factors, of endpoints that need more than a login, and of missing rights. */
export const accessErrors = {
  second_factor_required: {
    status: 401,
    id: 'Silakan lanjutkan dengan verifikasi dua langkah.',
    en: 'Please go on with your second factor.',
  },
  second_factor_invalid: {
    status: 401,
    id: 'Verifikasi ini salah atau sudah dipakai. Silakan coba lagi dengan yang baru.',
    en: 'This code or passkey is wrong or was used already. Please try again with a new one.',
  },
  login_code_invalid: {
    status: 401,
    id: 'Kode ini salah atau tidak berlaku lagi. Silakan periksa kembali atau minta kode baru.',
    en: 'This code is wrong or no longer valid. Please check it or ask for a new one.',
  },
  password_required: {
    status: 403,
    id: 'Akun ini tidak dapat dibuka dengan kode saja. Silakan masuk dengan kata sandi Anda.',
    en: 'This account cannot be opened by a code alone. Please log in with your password.',
  },
  sso_failed: {
    status: 401,
    id: 'Masuk melalui akun kantor tidak berhasil. Silakan mulai lagi.',
    en: 'The login by your work account did not succeed. Please begin again.',
  },
  sso_not_allowed: {
    status: 403,
    id: 'Akun kantor ini tidak terdaftar di klinik. Silakan hubungi admin klinik.',
    en: 'This work account has no place at the clinic. Please ask an admin of the clinic.',
  },
  sso_required: {
    status: 403,
    id: 'Klinik meminta Anda masuk dengan akun kantor, bukan dengan kata sandi.',
    en: 'The clinic asks you to log in by your work account, and not by a password.',
  },
  challenge_invalid: {
    status: 401,
    id: 'Waktu untuk masuk telah habis. Silakan masuk kembali dengan kata sandi Anda.',
    en: 'The time to log in is over. Please log in again with your password.',
  },
  second_factor_enrolment_required: {
    status: 403,
    id: 'Klinik mewajibkan verifikasi dua langkah untuk akun Anda. Silakan aktifkan terlebih dahulu.',
    en: 'The clinic asks for a second factor on your account. Please set one up first.',
  },
  reauthentication_required: {
    status: 403,
    id: 'Demi keamanan, silakan konfirmasi kata sandi atau kode Anda terlebih dahulu.',
    en: 'To be safe, please confirm your password or a code first.',
  },
  insufficient_scope: {
    status: 403,
    id: 'Kunci API ini tidak memiliki izin untuk tindakan ini.',
    en: 'This API key has no permission to do this.',
  },
  cross_site: {
    status: 403,
    id: 'Permintaan ini hanya dilayani dari halaman klinik sendiri.',
    en: "This is answered to the clinic's own pages alone.",
  },
  second_factor_missing: {
    status: 409,
    id: 'Verifikasi dua langkah belum aktif pada akun Anda.',
    en: 'No second factor is set up on your account.',
  },
  too_many_passkeys: {
    status: 409,
    id: 'Akun Anda sudah memiliki 10 kunci sandi. Silakan hapus salah satu terlebih dahulu.',
    en: 'Your account has 10 passkeys already. Please take one away first.',
  },
  email_missing: {
    status: 409,
    id: 'Akun ini belum memiliki email. Silakan tambahkan email terlebih dahulu.',
    en: 'This account has no e-mail yet. Please add one first.',
  },
  phone_codes_off: {
    status: 409,
    id: 'Klinik ini tidak mengirim kode ke telepon. Silakan gunakan email Anda.',
    en: 'This clinic sends no codes to phones. Please use your e-mail.',
  },
  phone_taken: {
    status: 409,
    id: 'Nomor ini sudah digunakan untuk masuk ke akun lain. Jika akun itu juga milik Anda, minta petugas klinik menggabungkan kedua akun, dan bawa kartu identitas Anda.',
    en: 'Another account is opened by this number. If that one is yours, too, please ask the staff of the clinic to join the two accounts, and bring your identity card.',
  },
  confirmation_code_unavailable: {
    status: 409,
    id: 'Untuk akun ini kode konfirmasi tidak dikirim. Konfirmasikan dengan kata sandi atau verifikasi dua langkah, atau keluar lalu masuk kembali.',
    en: 'No code to confirm is sent for this account. Please confirm with your password or second factor, or log out and in again.',
  },
  sso_confirmation_unavailable: {
    status: 409,
    id: 'Akun ini tidak dapat dikonfirmasi dengan akun kantor. Silakan keluar, lalu masuk kembali.',
    en: 'This account cannot be confirmed by a work account. Please log out and in again.',
  },
  sso_confirmation_failed: {
    status: 403,
    id: 'Konfirmasi dengan akun kantor tidak berhasil. Silakan mulai lagi dengan akun kantor Anda sendiri, atau keluar lalu masuk kembali.',
    en: 'The confirmation by your work account did not succeed. Please begin again with your own work account, or log out and in again.',
  },
  last_way_in: {
    status: 409,
    id: 'Nomor ini satu-satunya cara Anda masuk. Tambahkan dan verifikasi email Anda terlebih dahulu.',
    en: 'This phone is the only way into your account. Please add an e-mail and verify it first.',
  },
  email_already_proved: {
    status: 409,
    id: 'Email Anda sudah diverifikasi.',
    en: 'Your e-mail is already proved.',
  },
  setup_link_invalid: {
    status: 422,
    id: 'Tautan penyiapan ini tidak berlaku lagi (berlaku 1 jam dan hanya untuk satu kali pakai). Mulai ulang layanan atau buat tautan baru dengan perintah setup-link.',
    en: 'This set-up link is not valid any more (it holds for an hour and can be used once). Start the service again, or make a new link with the command setup-link.',
  },
  setup_closed: {
    status: 409,
    id: 'Klinik ini sudah memiliki admin. Silakan masuk ke konsol.',
    en: 'This clinic has an admin already. Please log in to the console.',
  },
  mail_not_sent: {
    status: 409,
    id: 'Email tidak terkirim. Periksa pengaturan email di server.',
    en: 'The mail did not leave. Please check the mail settings of the server.',
  },
  last_admin: { status: 409, id: 'Harus ada minimal satu admin.', en: 'There has to be at least one admin.' },
  visit_under_way: {
    status: 409,
    id: 'Anda atau anggota keluarga sedang berkunjung ke klinik hari ini. Silakan coba lagi setelah kunjungan selesai.',
    en: 'Somebody of the family is at the clinic today. Please try again once the visit is over.',
  },
  patient_works_here: {
    status: 409,
    id: 'Pasien ini bekerja di klinik. Cabut dahulu hak aksesnya.',
    en: 'This patient works here. Please take the rights of the account away first.',
  },
  set_by_environment: {
    status: 409,
    id: 'Aturan ini ditetapkan oleh pengaturan server dan tidak dapat diubah di sini.',
    en: 'This rule is decided by a setting of the server and cannot be changed here.',
  },
} as const satisfies Record<string, Sentence & { status: number }>;
