import type { Language } from '../../core/endpoint/messages.ts';

interface Letter {
  subject: string;
  text: string;
}

/** Asks whether a clinic's request came from this e-mail. */
export const proofLetter: Readonly<Record<Language, (clinic: string, link: string) => Letter>> = {
  id: (clinic, link) => ({
    subject: 'Konfirmasi pendaftaran klinik',
    text: `Yth. Bapak/Ibu,

Kami menerima permohonan untuk mendaftarkan ${clinic}. Silakan buka tautan berikut untuk memastikan bahwa permohonan ini dari Anda:

${link}

Tautan ini berlaku 24 jam dan hanya dapat digunakan satu kali. Setelah itu permohonan kami periksa.

Jika Anda tidak memintanya, abaikan email ini.
`,
  }),
  en: (clinic, link) => ({
    subject: 'Confirm the sign-up of your clinic',
    text: `Dear Sir or Madam,

We received a request to sign up ${clinic}. Please open this link to confirm that the request is yours:

${link}

The link is valid for 24 hours and can be used only once. Afterwards we review the request.

If you did not ask for this, please ignore this e-mail.
`,
  }),
};

/** Tells a clinic that it was added, with the link that makes its first admin. */
export const welcomeLetter: Readonly<Record<Language, (clinic: string, link: string) => Letter>> = {
  id: (clinic, link) => ({
    subject: 'Klinik Anda sudah siap',
    text: `Yth. Bapak/Ibu,

${clinic} sudah ditambahkan. Silakan buka tautan berikut untuk membuat akun admin pertama dan mulai menyiapkan klinik:

${link}

Tautan ini berlaku tujuh hari dan hanya dapat digunakan satu kali.
`,
  }),
  en: (clinic, link) => ({
    subject: 'Your clinic is ready',
    text: `Dear Sir or Madam,

${clinic} was added. Please open this link to create the account of the first admin and to set the clinic up:

${link}

The link is valid for seven days and can be used only once.
`,
  }),
};
