import { comes, type Language } from '../../../core/endpoint/messages.ts';
import type { FormPage } from '../../../core/http/pages/form-page.ts';

/** What a page says, with the visit in words, or with the reason of a refusal, and the name of a patient who is not the reader. */
export type Texts = Readonly<
  Record<string, Readonly<Record<Language, (text: string, name: string | null) => FormPage>>>
>;

const toApp = {
  id: { text: 'Buka aplikasi', href: '/pasien/' },
  en: { text: 'Open the application', href: '/pasien/' },
};

const toDoctors = {
  id: { text: 'Buat janji temu lain', href: '/pasien/dokter' },
  en: { text: 'Book another appointment', href: '/pasien/dokter' },
};

/** Of each question: its answers as they are asked for, what has become of it, that it is over, and why an answer is refused. */
export const texts = {
  /** A reminder asks whether the patient comes. */
  visit: {
    confirm: {
      id: (visit, name) => ({
        title: `${name ?? 'Anda'} akan datang?`,
        text: visit,
        button: comes.id(name),
        other: { text: 'Batalkan janji temu', href: 'cancel' },
      }),
      en: (visit, name) => ({
        title: `Will ${name ?? 'you'} come?`,
        text: visit,
        button: comes.en(name),
        other: { text: 'Cancel the appointment', href: 'cancel' },
      }),
    },
    cancel: {
      id: (visit, name) => ({
        title: 'Batalkan janji temu ini?',
        text: `${visit} Tempatnya akan diberikan kepada pasien lain.`,
        button: 'Batalkan',
        other: { text: comes.id(name), href: 'confirm' },
      }),
      en: (visit, name) => ({
        title: 'Cancel this appointment?',
        text: `${visit} The seat will go to another patient.`,
        button: 'Cancel it',
        other: { text: comes.en(name), href: 'confirm' },
      }),
    },
    confirmed: {
      id: (visit, name) => ({
        title: `Terima kasih, ${name ?? 'Anda'} akan datang`,
        text: `${visit} Jika Anda kemudian berhalangan, batalkan di aplikasi atau telepon klinik.`,
        other: toApp.id,
      }),
      en: (visit, name) => ({
        title: `Thank you, ${name ?? 'you'} will come`,
        text: `${visit} If something comes up, cancel it in the application or call the clinic.`,
        other: toApp.en,
      }),
    },
    canceled: {
      id: (visit) => ({ title: 'Janji temu sudah dibatalkan', text: visit, other: toDoctors.id }),
      en: (visit) => ({ title: 'The appointment is canceled', text: visit, other: toDoctors.en }),
    },
    over: {
      id: () => ({
        title: 'Tautan ini sudah tidak berlaku',
        text: 'Waktunya sudah lewat, atau janji temu ini sudah dipindahkan. Jadwal yang berlaku ada di aplikasi.',
        other: toApp.id,
      }),
      en: () => ({
        title: 'This link is no longer valid',
        text: 'Its time has passed, or the appointment was moved. You find the present time in the application.',
        other: toApp.en,
      }),
    },
    refused: {
      id: (why) => ({ title: 'Belum dapat dilakukan', text: why }),
      en: (why) => ({ title: 'This could not be done', text: why }),
    },
  },
  /** A notice offers a seat to a person on the waitlist. */
  offer: {
    accept: {
      id: (visit) => ({
        title: 'Terima tempat ini?',
        text: visit,
        button: 'Terima',
        other: { text: 'Tolak', href: 'decline' },
      }),
      en: (visit) => ({
        title: 'Accept this seat?',
        text: visit,
        button: 'Accept',
        other: { text: 'Decline', href: 'decline' },
      }),
    },
    decline: {
      id: (visit) => ({
        title: 'Tolak tempat ini?',
        text: `${visit} Tempat ini akan ditawarkan kepada yang menunggu berikutnya.`,
        button: 'Tolak',
        other: { text: 'Terima', href: 'accept' },
      }),
      en: (visit) => ({
        title: 'Decline this seat?',
        text: `${visit} The seat will be offered to the next person who waits for one.`,
        button: 'Decline',
        other: { text: 'Accept', href: 'accept' },
      }),
    },
    approved: {
      id: (visit) => ({ title: 'Janji temu sudah tercatat', text: visit }),
      en: (visit) => ({ title: 'The appointment is booked', text: visit }),
    },
    waiting: {
      id: (visit) => ({
        title: 'Tempat diterima',
        text: `${visit} Klinik masih akan menyetujuinya.`,
      }),
      en: (visit) => ({ title: 'Seat accepted', text: `${visit} The clinic has yet to confirm it.` }),
    },
    declined: {
      id: () => ({
        title: 'Tempat ditolak',
        text: 'Anda tetap dalam daftar tunggu untuk tempat berikutnya.',
      }),
      en: () => ({ title: 'Seat declined', text: 'You stay on the waitlist for the next one.' }),
    },
    over: {
      id: () => ({
        title: 'Tawaran ini sudah tidak berlaku',
        text: 'Waktunya sudah lewat, atau tempatnya sudah dibatalkan. Anda dapat memesan waktu lain di aplikasi.',
        other: toApp.id,
      }),
      en: () => ({
        title: 'This offer is over',
        text: 'Its time has passed, or the seat was canceled. You can book another time in the application.',
        other: toApp.en,
      }),
    },
    refused: {
      id: (why) => ({ title: 'Tempat belum dapat diterima', text: why }),
      en: (why) => ({ title: 'The seat could not be accepted', text: why }),
    },
  },
} as const satisfies Record<string, Texts>;
