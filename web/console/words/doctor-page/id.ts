const id = {
  title: (name: string) => `Halaman ${name}`,
  about:
    'Halaman ini dapat dibaca siapa saja dan ditemukan mesin pencari setelah diterbitkan. Minta persetujuan dokter lebih dahulu.',
  back: 'Semua dokter',
  published: 'Terbitkan halaman ini',
  slug: 'Alamat halaman',
  slugHint:
    'Huruf kecil, angka, dan tanda hubung. Kosongkan untuk memakai nama dokter. Alamat lama tetap mengarah ke sini.',
  text: 'Tentang dokter',
  education: 'Pendidikan',
  educationHint: 'Satu per baris, paling banyak 10.',
  languages: 'Bahasa',
  // Those that browsers do not name.
  regional: { mad: 'Madura', min: 'Minangkabau', ban: 'Bali', bug: 'Bugis' } as Readonly<
    Record<string, string>
  >,
  photo: 'Foto',
  photoHint: 'JPEG, PNG, atau WebP. Dipotong persegi di tengah; lokasi dan data kamera dihapus.',
  photoNow: 'Foto saat ini',
  photoNew: 'Foto baru, belum disimpan',
  photoBad: 'Gambar ini tidak dapat dibaca. Silakan pilih JPEG, PNG, atau WebP.',
  photoRemove: 'Hapus foto',
  share: 'Bagikan',
  open: 'Lihat halaman',
  notYet: 'Halaman belum terbit: alamatnya belum dapat dibuka.',
  qr: (url: string) => `Kode QR yang membuka ${url}`,
  print: 'Cetak kode QR',
  scan: 'Pindai untuk membuat janji temu',
  card: 'Kartu untuk situs lain',
  cardAbout: 'Salin ke situs yang asalnya ditulis admin di halaman Klinik. Di situs lain kartu tidak tampil.',
  remove: 'Hapus halaman',
  removeAsk: 'Hapus halaman ini?',
  removeText: 'Teks, foto, dan semua alamatnya dihapus. Dokter dan jadwalnya tetap.',
};

export type Words = typeof id;
export default id;
