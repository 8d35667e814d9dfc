const id = {
  dateForm: 'hh/bb/tttt',
  timeForm: 'jj.mm',
  unreadDate: 'Tulis hari, bulan, dan tahun, misalnya 26/11/2026.',
  noSuchDay: 'Tanggal ini tidak ada di kalender.',
  tooEarly: (first: string) => `Paling awal ${first}.`,
  tooLate: (last: string) => `Paling akhir ${last}.`,
  unreadTime: 'Tulis jam dan menit, dari 00.00 sampai 23.59, misalnya 08.30.',
  calendar: 'Buka kalender',
  yearBefore: 'Tahun sebelumnya',
  monthBefore: 'Bulan sebelumnya',
  monthAfter: 'Bulan berikutnya',
  yearAfter: 'Tahun berikutnya',
  today: 'Hari ini',
};

export default id;
