import { dear, type Letters, yth } from './greeting.ts';

export const newDevice: Letters = {
  id: ({ name }) => ({
    subject: 'Akun Anda dibuka dari perangkat baru',
    text: `${yth(name)}

Akun klinik Anda baru saja dibuka dari perangkat yang belum pernah dipakai sebelumnya.

Jika itu Anda, abaikan email ini. Jika bukan, segera ubah kata sandi Anda, keluarkan perangkat yang tidak Anda kenal, dan hubungi klinik.
`,
  }),
  en: ({ name }) => ({
    subject: 'Your account was opened on a new device',
    text: `${dear(name)}

Your account at the clinic has just been opened on a device that was not used before.

If this was you, please ignore this e-mail. If it was not, please change your password at once, log out any device that you do not know, and contact the clinic.
`,
  }),
};

export const emailChangeAsked: Letters = {
  id: ({ name }) => ({
    subject: 'Permintaan perubahan email akun Anda',
    text: `${yth(name)}

Kami menerima permintaan untuk mengganti email akun klinik Anda. Email ini tetap berlaku sampai email yang baru diverifikasi.

Jika bukan Anda yang memintanya, segera ubah kata sandi Anda dan hubungi klinik.
`,
  }),
  en: ({ name }) => ({
    subject: 'A change of the e-mail of your account was asked for',
    text: `${dear(name)}

We received a request to change the e-mail of your account at the clinic. This e-mail stays in force until the new one is verified.

If this was not you, please change your password at once and contact the clinic.
`,
  }),
};

export const loginPhoneChanged: Letters = {
  id: ({ name }) => ({
    subject: 'Nomor untuk masuk ke akun Anda telah diubah',
    text: `${yth(name)}

Nomor telepon untuk masuk ke akun klinik Anda baru saja ditambahkan, diganti, atau dihapus.

Jika bukan Anda yang melakukannya, segera hapus nomor tersebut di akun Anda, ubah kata sandi Anda, dan hubungi klinik. Mengubah kata sandi saja tidak menghapus nomor itu.
`,
  }),
  en: ({ name }) => ({
    subject: 'The phone that logs you in was changed',
    text: `${dear(name)}

A phone that logs you in at the clinic has just been added to your account, changed, or taken off.

If this was not you, please take the phone off in your account at once, change your password, and contact the clinic. A new password alone does not take the phone off.
`,
  }),
};

export const recordAdded: Letters = {
  id: ({ name }) => ({
    subject: 'Catatan lama Anda telah ditambahkan ke akun Anda',
    text: `${yth(name)}

Petugas klinik telah memeriksa data Anda. Catatan Anda dari kunjungan sebelum Anda memiliki akun kini menjadi bagian dari akun Anda, dan kunjungan tersebut terlihat dalam riwayat Anda.

Jika ada kunjungan yang bukan milik Anda, mohon hubungi klinik.
`,
  }),
  en: ({ name }) => ({
    subject: 'Your earlier record was added to your account',
    text: `${dear(name)}

The clinic has checked your data. Your record from before you had an account is now part of your account, and its visits are in your history.

If a visit is not yours, please contact the clinic.
`,
  }),
};

export const accountsJoined: Letters = {
  id: ({ name }) => ({
    subject: 'Kedua akun Anda telah digabungkan',
    text: `${yth(name)}

Petugas klinik telah menggabungkan dua akun Anda menjadi satu. Janji temu dan keluarga dari kedua akun kini berada dalam akun yang dipertahankan; akun yang lain, kata sandinya, dan perangkat yang masuk ke sana tidak berlaku lagi.

Jika Anda tidak memintanya di klinik, segera hubungi klinik.
`,
  }),
  en: ({ name }) => ({
    subject: 'Your two accounts were joined',
    text: `${dear(name)}

The staff of the clinic have made your two accounts one. The bookings and the family of both are now in the account that was kept; the other account, its password and the devices that were logged in to it are not valid any more.

If you did not ask for this at the clinic, please contact the clinic at once.
`,
  }),
};
