const id = {
  number: 'Nomor antrean',
  code: 'Kode janji',
  qr: (code: string) => `Kode QR dari ${code}`,
};

export default id;
