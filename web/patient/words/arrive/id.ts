const id = {
  title: 'Check-in di klinik',
  here: (name: string | null) => `${name ?? 'Saya'} sudah di sini`,
  done: (name: string | null) =>
    `${name ?? 'Anda'} sudah check-in. Silakan tunggu sampai nomor ${name ?? 'Anda'} dipanggil.`,
  choose: 'Untuk janji yang mana?',
  none: 'Tidak ada janji hari ini yang menunggu check-in. Silakan ke meja pendaftaran.',
  noPoster: 'Pindai kode QR pada poster di klinik dengan kamera ponsel Anda.',
  login: 'Masuk terlebih dahulu untuk check-in.',
};

export default id;
