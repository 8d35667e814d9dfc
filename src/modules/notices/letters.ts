import { comes, type Language } from '../../core/endpoint/messages.ts';
import { minutesInWords } from '../../core/endpoint/sentences.ts';
import type { NoticeKind } from '../../core/tables/words.ts';
import { dear, yth } from '../auth/mail/greeting.ts';
import { greetedName } from '../auth/mail/rules.ts';

/** The author of the change in a notice, as its reader sees them. */
export type ChangedBy = 'you' | 'family' | 'clinic' | 'system';

/** The content of a notice: never what the visit is for, since the kind of a session can reveal an illness. */
export interface TextParts {
  language: Language;
  reader: string;
  patient: string;
  isOwn: boolean;
  doctor: string;
  date: string;
  time: string;
  code: string;
  clinic: string;
  clinicPhone: string;
  delayMinutes: number | null;
  /** Whether the clinic has not approved the visit yet. */
  isWaiting: boolean;
  by: ChangedBy;
  /** Of a cancellation: whether it was because nobody said that the patient comes. */
  isUnconfirmed: boolean;
  /** Of a move: when the visit was before, in words. */
  previously: string | null;
  /** Of an offer, until when its seat is held. */
  heldUntil: string | null;
  /** For an offer, the addresses that accept or decline it; null if this service has no address. */
  links: { accept: string; decline: string } | null;
  /** Of a reminder that asks whether the patient comes: the addresses that answer it; null of one that does not ask. */
  visitLinks: { confirm: string; cancel: string } | null;
}

/** A patient's name in a safe form: nothing that a mail program could show as a link. */
export const namedPatient = (name: string, language: Language): string =>
  greetedName(name) ?? (language === 'id' ? 'pasien' : 'the patient');

type Say = (whose: string, parts: TextParts) => { subject: string; says: string };

const makers: Readonly<Record<Language, Readonly<Record<ChangedBy, string>>>> = {
  id: { you: 'Anda', family: 'akun lain dalam keluarga', clinic: 'klinik', system: 'sistem' },
  en: {
    you: 'you',
    family: 'another account of the family',
    clinic: 'the clinic',
    system: 'the system',
  },
};

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** For a visit that is not approved yet. */
const stillWaits = {
  id: 'yang masih menunggu persetujuan klinik',
  en: 'which still waits for the clinic to confirm it',
};

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
  expired: {
    id: (whose) => ({
      subject: 'Janji temu tidak sempat disetujui',
      says: `Mohon maaf, janji temu ${whose} berikut dibatalkan oleh sistem: klinik tidak menyetujuinya sampai waktunya lewat. Silakan pilih waktu lain.`,
    }),
    en: (whose) => ({
      subject: 'Appointment not confirmed in time',
      says: `We are sorry: the system canceled ${whose} appointment below, because the clinic did not confirm it before its time was over. Please choose another time.`,
    }),
  },
  canceled: {
    id: (whose, { by, isUnconfirmed }) => ({
      subject: `Janji temu dibatalkan oleh ${makers.id[by]}`,
      says: isUnconfirmed
        ? `Kami belum menerima kepastian kehadiran, sehingga tempat pada janji temu ${whose} berikut diberikan kepada pasien lain. Jika masih perlu, silakan pilih waktu lain.`
        : by === 'clinic'
          ? `Mohon maaf, klinik harus membatalkan janji temu ${whose} berikut. Silakan pilih waktu lain.`
          : `Janji temu ${whose} berikut telah dibatalkan oleh ${makers.id[by]}.`,
    }),
    en: (whose, { by, isUnconfirmed }) => ({
      subject: `Appointment canceled by ${makers.en[by]}`,
      says: isUnconfirmed
        ? `Nobody told us that the patient will come, so the seat of ${whose} appointment below went to another patient. If it is still needed, please choose another time.`
        : by === 'clinic'
          ? `We are sorry: the clinic had to cancel ${whose} appointment below. Please choose another time.`
          : `${sentence(whose)} appointment below was canceled by ${makers.en[by]}.`,
    }),
  },
  moved: {
    id: (whose, { by }) => ({
      subject: `Janji temu dipindahkan oleh ${makers.id[by]}`,
      says:
        by === 'clinic'
          ? `Klinik telah memindahkan janji temu ${whose}. Jadwal yang baru:`
          : `Janji temu ${whose} telah dipindahkan oleh ${makers.id[by]}. Jadwal yang baru:`,
    }),
    en: (whose, { by }) => ({
      subject: `Appointment moved by ${makers.en[by]}`,
      says:
        by === 'clinic'
          ? `The clinic has moved ${whose} appointment. It is now:`
          : `${sentence(whose)} appointment was moved by ${makers.en[by]}. It is now:`,
    }),
  },
  patient_canceled: {
    id: (_whose, { patient }) => ({
      subject: 'Pasien membatalkan janji temu',
      says: `${patient} telah membatalkan janji temu berikut. Tempatnya kosong kembali:`,
    }),
    en: (_whose, { patient }) => ({
      subject: 'A patient canceled an appointment',
      says: `${patient} has canceled the appointment below. Its seat is free again:`,
    }),
  },
  patient_moved: {
    id: (_whose, { patient, previously }) => ({
      subject: 'Pasien memindahkan janji temu',
      says: `${patient} telah memindahkan janji temu dari ${previously}. Jadwal yang baru:`,
    }),
    en: (_whose, { patient, previously }) => ({
      subject: 'A patient moved an appointment',
      says: `${patient} has moved the appointment of ${previously}. It is now:`,
    }),
  },
  patient_answered: {
    id: (_whose, { patient }) => ({
      subject: 'Pasien menjawab pertanyaan',
      says: `${patient} telah menjawab pertanyaan untuk janji temu berikut. Jawabannya dapat dibaca di konsol:`,
    }),
    en: (_whose, { patient }) => ({
      subject: 'A patient answered the questions',
      says: `${patient} has answered the questions of the appointment below. The answers can be read in the console:`,
    }),
  },
  delayed: {
    id: (whose, { delayMinutes }) => ({
      subject: 'Dokter terlambat',
      says: `Mohon maaf, dokter terlambat sekitar ${minutesInWords(delayMinutes ?? 0).id}. Janji temu ${whose} tetap berlaku:`,
    }),
    en: (whose, { delayMinutes }) => ({
      subject: 'The doctor is running late',
      says: `We are sorry: the doctor is about ${minutesInWords(delayMinutes ?? 0).en} late. This does not change ${whose} appointment:`,
    }),
  },
  reminder_early: {
    id: (whose, { isWaiting }) => ({
      subject: 'Pengingat janji temu',
      says: `Kami mengingatkan janji temu ${whose}${isWaiting ? `, ${stillWaits.id}` : ''}:`,
    }),
    en: (whose, { isWaiting }) => ({
      subject: 'Reminder of an appointment',
      says: `This is a reminder of ${whose} appointment${isWaiting ? `, ${stillWaits.en}` : ''}:`,
    }),
  },
  reminder_late: {
    id: (whose, { isWaiting }) => ({
      subject: 'Janji temu sebentar lagi',
      says: `Sebentar lagi waktunya janji temu ${whose}${isWaiting ? `, ${stillWaits.id}` : ''}:`,
    }),
    en: (whose, { isWaiting }) => ({
      subject: 'Appointment soon',
      says: `It is soon time for ${whose} appointment${isWaiting ? `, ${stillWaits.en}` : ''}:`,
    }),
  },
  waitlist_offer: {
    id: (_whose, { isOwn, patient, heldUntil, ...parts }) => ({
      subject: 'Ada tempat kosong dari daftar tunggu',
      says: `Ada tempat kosong untuk ${isOwn ? 'Anda' : patient}, ditahan hingga ${heldUntil}. Silakan terima atau tolak${parts.links === null ? ' di aplikasi' : ' dengan tautan di bawah'}:`,
    }),
    en: (_whose, { isOwn, patient, heldUntil, ...parts }) => ({
      subject: 'A seat has come free',
      says: `A seat has come free for ${isOwn ? 'you' : patient}, held until ${heldUntil}. Please accept or decline it ${parts.links === null ? 'in the application' : 'by a link below'}:`,
    }),
  },
};

/** The clinic's own lines, as far as there are any, with an empty one around them. */
const signed = (...lines: string[]): string =>
  ['', ...lines.filter(Boolean), ''].join('\n').replace(/^\n$/, '');

const body = {
  id: (
    { doctor, date, time, code, clinic, clinicPhone, links, visitLinks, isOwn, patient }: TextParts,
    stop: string,
  ) => `Dokter: ${doctor}
Hari dan tanggal: ${date}
Jam: ${time}
Kode: ${code}
${
  links === null
    ? ''
    : `
Terima: ${links.accept}
Tolak: ${links.decline}
`
}${
  visitLinks === null
    ? ''
    : `
${sentence(comes.id(isOwn ? null : patient))}: ${visitLinks.confirm}
Batalkan: ${visitLinks.cancel}
`
}${signed(clinic, clinicPhone && `Telepon: ${clinicPhone}`)}
--
Tidak ingin menerima email seperti ini lagi? Buka tautan berikut:
${stop}
`,
  en: (
    { doctor, date, time, code, clinic, clinicPhone, links, visitLinks, isOwn, patient }: TextParts,
    stop: string,
  ) => `Doctor: ${doctor}
Date: ${date}
Time: ${time}
Code: ${code}
${
  links === null
    ? ''
    : `
Accept: ${links.accept}
Decline: ${links.decline}
`
}${
  visitLinks === null
    ? ''
    : `
${sentence(comes.en(isOwn ? null : patient))}: ${visitLinks.confirm}
Cancel: ${visitLinks.cancel}
`
}${signed(clinic, clinicPhone && `Telephone: ${clinicPhone}`)}
--
No more e-mails like this? Please open this link:
${stop}
`,
};

/** The letter of a notice, with the link by which its reader stops such letters. */
export const writeLetter = (kind: NoticeKind, parts: TextParts, stop: string) => {
  const { language, isOwn, patient, reader } = parts;
  const whose = {
    id: isOwn ? 'Anda' : `untuk ${patient}`,
    en: isOwn ? 'your' : `${patient}’s`,
  }[language];
  const { subject, says: opening } = says[kind][language](whose, parts);
  const greeting = language === 'id' ? yth(reader) : dear(reader);
  return { subject, text: `${greeting}\n\n${opening}\n\n${body[language](parts, stop)}` };
};
