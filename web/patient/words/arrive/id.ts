const id = {
  title: 'Check-in di klinik',
  here: 'Saya sudah di sini',
  done: 'Anda sudah check-in. Silakan tunggu sampai nomor Anda dipanggil.',
  choose: 'Untuk janji yang mana?',
  none: 'Tidak ada janji hari ini yang menunggu check-in. Silakan ke meja pendaftaran.',
  noPoster: 'Pindai kode QR pada poster di klinik dengan kamera ponsel Anda.',
  login: 'Masuk terlebih dahulu untuk check-in.',
};

export default id;
