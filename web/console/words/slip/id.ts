const id = {
  title: 'Karcis antrean',
  about: 'Pilihan ini hanya berlaku di perangkat ini.',
  paper: 'Printer karcis',
  none: 'Tidak ada',
  width: (mm: number): string => `Kertas ${mm} mm`,
  withName: 'Cetak nama pasien di karcis',
  test: 'Cetak halaman uji',
  testTitle: 'Halaman uji',
  testDoctor: 'dr. Contoh',
  testSession: 'Poli Umum',
  testRoom: 'Ruang 1',
  testPatient: 'Nama Pasien',
};

export type Words = typeof id;
export default id;
