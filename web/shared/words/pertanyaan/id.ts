const id = {
  noChoice: 'Belum dijawab',
  yes: 'Ya',
  no: 'Tidak',
  numberHint: 'Angka, misalnya 36,5',
};

export default id;
