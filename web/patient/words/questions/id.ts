const id = {
  title: (name: string | null) => `Pertanyaan sebelum kunjungan${name === null ? '' : ` ${name}`}`,
  left: (n: number) => `${n} pertanyaan wajib belum dijawab. Janji Anda tetap berlaku.`,
  none: 'Semua pertanyaan wajib sudah dijawab. Anda masih dapat mengubahnya sampai kunjungan selesai.',
  who: 'Hanya petugas klinik dan dokter yang melihat jawaban Anda.',
  required: 'Wajib dijawab.',
  save: 'Simpan jawaban',
  kept: 'Jawaban tersimpan.',
  keptSome: (n: number) => `Jawaban tersimpan. ${n} pertanyaan wajib belum dijawab.`,
  answered: 'Jawaban Anda',
};

export default id;
export type Words = typeof id;
