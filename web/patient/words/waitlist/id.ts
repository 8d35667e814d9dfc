const id = {
  // Menunggu tempat
  title: 'Kabari saya bila ada tempat',
  about: 'Bila ada tempat kosong, kami menahannya untuk Anda dan memberi tahu Anda.',
  from: 'Mulai tanggal',
  to: 'Sampai tanggal',
  anyDoctor: 'Dokter lain pun boleh',
  certainTimes: 'Hanya pada jam tertentu',
  earliest: 'Paling awal pukul',
  latest: 'Paling akhir pukul',
  join: 'Masuk daftar tunggu',
  joining: 'Mendaftarkan…',
  joined: (name: string | null) => `${name ?? 'Anda'} sudah masuk daftar tunggu.`,
  ensuring: 'Sambungan terputus. Sedang memastikan apakah permintaan Anda sudah diterima…',
  loginHere: 'Masuk untuk menunggu tempat. Isian Anda tetap tersimpan di halaman ini.',
  seeList: 'Lihat daftar tunggu Anda',
  told: 'Tawaran tampil di beranda. Anda dapat memilih pemberitahuan di Akun.',

  // Daftar tunggu
  list: 'Daftar tunggu',
  whichever: 'dokter mana saja',
  between: (from: string, to: string) => `${from} sampai ${to}`,
  timesBetween: (from: string, to: string) => `pukul ${from} sampai ${to}`,
  timesFrom: (from: string) => `mulai pukul ${from}`,
  timesUntil: (to: string) => `sampai pukul ${to}`,
  for: (name: string) => `Untuk ${name}`,
  leave: 'Berhenti menunggu',
  leaveTitle: 'Berhenti menunggu?',
  leaveText: (what: string) => `Anda tidak lagi diberi tahu bila ada tempat untuk ${what}.`,
  leaveHeld: 'Tempat yang ditahan untuk Anda juga dilepas.',
  yesLeave: 'Ya, berhenti',
  left: (name: string | null) => `${name ?? 'Anda'} sudah keluar dari daftar tunggu.`,
  unanswered: 'Sudah berakhir: tiga tawaran berturut-turut tidak dijawab. Anda boleh mendaftar lagi.',
  remove: 'Hapus dari daftar',
  removeTitle: 'Hapus dari daftar?',
  removed: 'Sudah dihapus dari daftar.',

  // Tawaran
  offer: (name: string | null) => `Ada tempat untuk ${name ?? 'Anda'}`,
  heldUntil: (time: string) => `Ditahan untuk Anda sampai ${time}`,
  remaining: (wait: string) => `sisa ${wait}`,
  noNumberYet: 'Nomor antrean Anda dapatkan setelah menerima tempat ini.',
  accept: 'Terima tempat ini',
  accepting: 'Menerima…',
  accepted: (name: string | null) => `Tempat ini sekarang janji ${name ?? 'Anda'}.`,
  decline: 'Tolak',
  declineTitle: 'Tolak tempat ini?',
  declineText: (when: string) =>
    `Tempat ${when} diberikan kepada pasien berikutnya. Anda tetap menunggu tempat lain.`,
  yesDecline: 'Ya, tolak',
  declined: 'Anda menolak tempat ini. Anda tetap menunggu tempat lain.',
  over: (when: string) =>
    `Tempat ${when} tidak lagi ditahan untuk Anda. Anda tetap di daftar tunggu, dan kami kabari lagi.`,
  overLast: (when: string) =>
    `Tempat ${when} tidak lagi ditahan untuk Anda. Tiga tawaran berturut-turut tidak dijawab, maka Anda tidak lagi menunggu.`,
  overTicket: (name: string | null) =>
    `Tempat ini tidak lagi ditahan untuk ${name ?? 'Anda'}, dan diberikan kepada pasien berikutnya.`,
};

export default id;
export type Words = typeof id;
