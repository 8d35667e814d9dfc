import type id from './id.ts';

const en: typeof id = {
  number: 'Queue number',
  code: 'Booking code',
  qr: (code) => `QR code of ${code}`,
};

export default en;
