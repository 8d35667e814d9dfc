import { dear, yth } from '../auth/mail/greeting.ts';
import { greetedName } from '../auth/mail/rules.ts';
import type { Language } from '../endpoint/messages.ts';
import type { NoticeKind } from '../tables/words.ts';

/** What a notice says: never what the visit is for, since the kind of a session can tell an illness. */
export interface TextParts {
  language: Language;
  /** Who reads it. */
  reader: string;
  /** Whose visit it is. */
  patient: string;
  isOwn: boolean;
  doctor: string;
  date: string;
  time: string;
  code: string;
  clinic: string;
  clinicPhone: string;
  delayMinutes: number | null;
  /** Of an offer, until when its seat is held. */
  heldUntil: string | null;
}

const zoneWords: Readonly<Record<string, string>> = {
  'Asia/Jakarta': 'WIB',
  'Asia/Pontianak': 'WIB',
  'Asia/Makassar': 'WITA',
  'Asia/Jayapura': 'WIT',
};

/** A date and a time of the clinic's clock in words. */
export const whenInWords = (date: string, time: string, zone: string, language: Language) => {
  const locale = language === 'id' ? 'id-ID' : 'en-GB';
  const day = new Date(`${date}T00:00:00Z`);
  const say = (form: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { ...form, timeZone: 'UTC' }).format(day);
  // In two parts: platforms differ on the comma between them.
  return {
    date: `${say({ weekday: 'long' })}, ${say({ day: 'numeric', month: 'long', year: 'numeric' })}`,
    time: `${time.slice(0, 5).replace(':', language === 'id' ? '.' : ':')} ${zoneWords[zone] ?? `(${zone})`}`,
  };
};

/** A patient's name as it may stand in a text: nothing that a program could show as a link. */
export const namedPatient = (name: string, language: Language): string =>
  greetedName(name) ?? (language === 'id' ? 'pasien' : 'the patient');

type Say = (whose: string, parts: TextParts) => { subject: string; says: string };

const says: Readonly<Record<NoticeKind, Readonly<Record<Language, Say>>>> = {
  approved: {
    id: (whose) => ({
      subject: 'Janji temu disetujui klinik',
      says: `Klinik telah menyetujui janji temu ${whose}:`,
    }),
    en: (whose) => ({
      subject: 'Appointment confirmed',
      says: `The clinic has confirmed ${whose} appointment:`,
    }),
  },
  rejected: {
    id: (whose) => ({
      subject: 'Janji temu tidak dapat disetujui',
      says: `Mohon maaf, klinik tidak dapat menyetujui janji temu ${whose} berikut. Silakan pilih waktu lain.`,
    }),
    en: (whose) => ({
      subject: 'Appointment not confirmed',
      says: `We are sorry: the clinic could not confirm ${whose} appointment below. Please choose another time.`,
    }),
  },
  canceled: {
    id: (whose) => ({
      subject: 'Janji temu dibatalkan oleh klinik',
      says: `Mohon maaf, klinik harus membatalkan janji temu ${whose} berikut. Silakan pilih waktu lain.`,
    }),
    en: (whose) => ({
      subject: 'Appointment canceled by the clinic',
      says: `We are sorry: the clinic had to cancel ${whose} appointment below. Please choose another time.`,
    }),
  },
  moved: {
    id: (whose) => ({
      subject: 'Janji temu dipindahkan oleh klinik',
      says: `Klinik telah memindahkan janji temu ${whose}. Jadwal yang baru:`,
    }),
    en: (whose) => ({
      subject: 'Appointment moved by the clinic',
      says: `The clinic has moved ${whose} appointment. It is now:`,
    }),
  },
  delayed: {
    id: (whose, { delayMinutes }) => ({
      subject: 'Dokter terlambat',
      says: `Mohon maaf, dokter terlambat sekitar ${delayMinutes} menit. Janji temu ${whose} tetap berlaku:`,
    }),
    en: (whose, { delayMinutes }) => ({
      subject: 'The doctor is running late',
      says: `We are sorry: the doctor is about ${delayMinutes} minutes late. This does not change ${whose} appointment:`,
    }),
  },
  reminder_early: {
    id: (whose) => ({
      subject: 'Pengingat janji temu',
      says: `Kami mengingatkan janji temu ${whose}:`,
    }),
    en: (whose) => ({
      subject: 'Reminder of an appointment',
      says: `This is a reminder of ${whose} appointment:`,
    }),
  },
  reminder_late: {
    id: (whose) => ({
      subject: 'Janji temu sebentar lagi',
      says: `Sebentar lagi waktunya janji temu ${whose}:`,
    }),
    en: (whose) => ({ subject: 'Appointment soon', says: `It is soon time for ${whose} appointment:` }),
  },
  waitlist_offer: {
    id: (_whose, { isOwn, patient, heldUntil }) => ({
      subject: 'Ada tempat kosong dari daftar tunggu',
      says: `Ada tempat kosong untuk ${isOwn ? 'Anda' : patient}, ditahan hingga ${heldUntil}. Silakan terima atau tolak di aplikasi:`,
    }),
    en: (_whose, { isOwn, patient, heldUntil }) => ({
      subject: 'A seat has come free',
      says: `A seat has come free for ${isOwn ? 'you' : patient}, held until ${heldUntil}. Please accept or decline it in the application:`,
    }),
  },
};

/** The clinic's own lines, as far as there are any, with an empty one around them. */
const signed = (...lines: string[]): string =>
  ['', ...lines.filter(Boolean), ''].join('\n').replace(/^\n$/, '');

const body = {
  id: ({ doctor, date, time, code, clinic, clinicPhone }: TextParts, stop: string) => `Dokter: ${doctor}
Hari dan tanggal: ${date}
Jam: ${time}
Kode: ${code}
${signed(clinic, clinicPhone && `Telepon: ${clinicPhone}`)}
--
Tidak ingin menerima email seperti ini lagi? Buka tautan berikut:
${stop}
`,
  en: ({ doctor, date, time, code, clinic, clinicPhone }: TextParts, stop: string) => `Doctor: ${doctor}
Date: ${date}
Time: ${time}
Code: ${code}
${signed(clinic, clinicPhone && `Telephone: ${clinicPhone}`)}
--
No more e-mails like this? Please open this link:
${stop}
`,
};

/** The letter of a notice, with the link by which its reader stops such letters. */
export const letterOf = (kind: NoticeKind, parts: TextParts, stop: string) => {
  const { language, isOwn, patient, reader } = parts;
  const whose = {
    id: isOwn ? 'Anda' : `untuk ${patient}`,
    en: isOwn ? 'your' : `${patient}’s`,
  }[language];
  const { subject, says: opening } = says[kind][language](whose, parts);
  const greeting = language === 'id' ? yth(reader) : dear(reader);
  return { subject, text: `${greeting}\n\n${opening}\n\n${body[language](parts, stop)}` };
};
