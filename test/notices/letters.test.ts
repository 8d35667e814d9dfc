import { describe, expect, it } from 'vitest';
import { whenInWords } from '../../src/core/clinic/in-words.ts';
import { allNoticeKinds } from '../../src/core/tables/words.ts';
import { gatewayMessage } from '../../src/modules/notices/gateway.ts';
import { namedPatient, type TextParts, writeLetter } from '../../src/modules/notices/letters.ts';

const stop = 'https://janji.klinik.example/notices/stop/TOKEN';

const partsIn = (language: 'id' | 'en', fields: Partial<TextParts> = {}): TextParts => ({
  language,
  reader: 'Putri Ayu',
  patient: 'Putri Ayu',
  isOwn: true,
  doctor: 'dr. Sari Wulandari',
  ...whenInWords('2026-11-23', '09:30:00', 'Asia/Makassar', language),
  code: 'K7M2QX',
  clinic: 'Klinik Sehat',
  clinicPhone: '021 555 0199',
  delayMinutes: null,
  isWaiting: false,
  by: 'clinic',
  previously: null,
  heldUntil: null,
  links: null,
  visitLinks: null,
  isUnconfirmed: false,
  ...fields,
});

const whole = (opening: Record<'id' | 'en', string>) => ({
  id: `Yth. Putri Ayu,

${opening.id}

Dokter: dr. Sari Wulandari
Hari dan tanggal: Senin, 23 November 2026
Jam: 09.30 WITA
Kode: K7M2QX

Klinik Sehat
Telepon: 021 555 0199

--
Tidak ingin menerima email seperti ini lagi? Buka tautan berikut:
${stop}
`,
  en: `Dear Putri Ayu,

${opening.en}

Doctor: dr. Sari Wulandari
Date: Monday, 23 November 2026
Time: 09:30 WITA
Code: K7M2QX

Klinik Sehat
Telephone: 021 555 0199

--
No more e-mails like this? Please open this link:
${stop}
`,
});

const openings = {
  approved: {
    id: ['Janji temu disetujui klinik', 'Klinik telah menyetujui janji temu Anda:'],
    en: ['Appointment confirmed', 'The clinic has confirmed your appointment:'],
  },
  rejected: {
    id: [
      'Janji temu tidak dapat disetujui',
      'Mohon maaf, klinik tidak dapat menyetujui janji temu Anda berikut. Silakan pilih waktu lain.',
    ],
    en: [
      'Appointment not confirmed',
      'We are sorry: the clinic could not confirm your appointment below. Please choose another time.',
    ],
  },
  expired: {
    id: [
      'Janji temu tidak sempat disetujui',
      'Mohon maaf, janji temu Anda berikut dibatalkan oleh sistem: klinik tidak menyetujuinya sampai waktunya lewat. Silakan pilih waktu lain.',
    ],
    en: [
      'Appointment not confirmed in time',
      'We are sorry: the system canceled your appointment below, because the clinic did not confirm it before its time was over. Please choose another time.',
    ],
  },
  canceled: {
    id: [
      'Janji temu dibatalkan oleh klinik',
      'Mohon maaf, klinik harus membatalkan janji temu Anda berikut. Silakan pilih waktu lain.',
    ],
    en: [
      'Appointment canceled by the clinic',
      'We are sorry: the clinic had to cancel your appointment below. Please choose another time.',
    ],
  },
  moved: {
    id: ['Janji temu dipindahkan oleh klinik', 'Klinik telah memindahkan janji temu Anda. Jadwal yang baru:'],
    en: ['Appointment moved by the clinic', 'The clinic has moved your appointment. It is now:'],
  },
  delayed: {
    id: ['Dokter terlambat', 'Mohon maaf, dokter terlambat sekitar 30 menit. Janji temu Anda tetap berlaku:'],
    en: [
      'The doctor is running late',
      'We are sorry: the doctor is about 30 minutes late. This does not change your appointment:',
    ],
  },
  reminder_early: {
    id: ['Pengingat janji temu', 'Kami mengingatkan janji temu Anda:'],
    en: ['Reminder of an appointment', 'This is a reminder of your appointment:'],
  },
  reminder_late: {
    id: ['Janji temu sebentar lagi', 'Sebentar lagi waktunya janji temu Anda:'],
    en: ['Appointment soon', 'It is soon time for your appointment:'],
  },
  patient_canceled: {
    id: [
      'Pasien membatalkan janji temu',
      'Putri Ayu telah membatalkan janji temu berikut. Tempatnya kosong kembali:',
    ],
    en: [
      'A patient canceled an appointment',
      'Putri Ayu has canceled the appointment below. Its seat is free again:',
    ],
  },
  patient_moved: {
    id: [
      'Pasien memindahkan janji temu',
      'Putri Ayu telah memindahkan janji temu dari Senin, 23 November 2026, 08.00 WIB. Jadwal yang baru:',
    ],
    en: [
      'A patient moved an appointment',
      'Putri Ayu has moved the appointment of Monday, 23 November 2026, 08:00 WIB. It is now:',
    ],
  },
  patient_answered: {
    id: [
      'Pasien menjawab pertanyaan',
      'Putri Ayu telah menjawab pertanyaan untuk janji temu berikut. Jawabannya dapat dibaca di konsol:',
    ],
    en: [
      'A patient answered the questions',
      'Putri Ayu has answered the questions of the appointment below. The answers can be read in the console:',
    ],
  },
  waitlist_offer: {
    id: [
      'Ada tempat kosong dari daftar tunggu',
      'Ada tempat kosong untuk Anda, ditahan hingga 08.30 WITA. Silakan terima atau tolak di aplikasi:',
    ],
    en: [
      'A seat has come free',
      'A seat has come free for you, held until 08:30 WITA. Please accept or decline it in the application:',
    ],
  },
} as const;

describe('the letter of a notice', () => {
  it.each(allNoticeKinds)('says %s whole, in both languages', (kind) => {
    for (const language of ['id', 'en'] as const) {
      const [subject] = openings[kind][language];
      const { id, en } = openings[kind];
      const delayMinutes = kind === 'delayed' ? 30 : null;
      const heldUntil = kind === 'waitlist_offer' ? { id: '08.30 WITA', en: '08:30 WITA' }[language] : null;
      const { date, time } = whenInWords('2026-11-23', '08:00:00', 'Asia/Jakarta', language);
      const previously = `${date}, ${time}`;
      expect(writeLetter(kind, partsIn(language, { delayMinutes, heldUntil, previously }), stop)).toEqual({
        subject,
        text: whole({ id: id[1], en: en[1] })[language],
      });
    }
  });

  it('counts one minute as one', () => {
    expect(writeLetter('delayed', partsIn('en', { delayMinutes: 1 }), stop).text).toContain(
      'about 1 minute late',
    );
    expect(writeLetter('delayed', partsIn('en', { delayMinutes: 20 }), stop).text).toContain(
      'about 20 minutes late',
    );
  });

  it('names the patient where somebody else reads it, and leaves out what the clinic has not said', () => {
    const child = { isOwn: false, patient: 'Bintang', clinic: '', clinicPhone: '' };
    expect(writeLetter('moved', partsIn('id', child), stop).text).toContain(
      'memindahkan janji temu untuk Bintang. Jadwal',
    );
    expect(writeLetter('approved', partsIn('en', child), stop).text).toContain(
      'confirmed Bintang’s appointment:',
    );
    const visitLinks = { confirm: 'https://a.example/confirm', cancel: 'https://a.example/cancel' };
    for (const [language, own, answer] of [
      ['id', 'Saya datang', 'Bintang akan datang'],
      ['en', 'I will come', 'Bintang will come'],
    ] as const) {
      const of = (fields: object) => writeLetter('reminder_early', partsIn(language, fields), stop).text;
      expect(of({ visitLinks })).toContain(`\n${own}: ${visitLinks.confirm}\n`);
      expect(of({ ...child, visitLinks })).toContain(`\n${answer}: ${visitLinks.confirm}\n`);
    }
    expect(writeLetter('approved', partsIn('en', child), stop).text).not.toMatch(
      /Telephone|undefined|\n\n\n\n/,
    );
  });

  it.each([
    [
      'you',
      'Janji temu Anda berikut telah dibatalkan oleh Anda.',
      'Your appointment below was canceled by you.',
    ],
    [
      'family',
      'Janji temu Anda berikut telah dibatalkan oleh akun lain dalam keluarga.',
      'Your appointment below was canceled by another account of the family.',
    ],
    [
      'system',
      'Janji temu Anda berikut telah dibatalkan oleh sistem.',
      'Your appointment below was canceled by the system.',
    ],
  ] as const)('says by whom a visit was canceled: %s', (by, id, en) => {
    expect(writeLetter('canceled', partsIn('id', { by }), stop).text).toContain(id);
    expect(writeLetter('canceled', partsIn('en', { by }), stop).text).toContain(en);
  });

  it('shows no link that somebody wrote as a name', () => {
    expect(namedPatient('Menang! https://evil.example', 'id')).toBe('pasien');
    const text = writeLetter('approved', partsIn('id', { reader: 'klik evil.example' }), stop).text;
    expect(text).toContain('Yth. Bapak/Ibu,');
    expect(text).not.toContain('evil');
  });

  it('says the time as the clinic’s zone is called', () => {
    expect(whenInWords('2026-11-23', '09:30:00', 'Asia/Jayapura', 'id').time).toBe('09.30 WIT');
    expect(whenInWords('2026-03-29', '14:00:00', 'Europe/Berlin', 'en')).toEqual({
      date: 'Sunday, 29 March 2026',
      time: '14:00 (Europe/Berlin)',
    });
  });

  it('goes to a gateway as a template with its parameters, and no more', () => {
    const parts = partsIn('id', { delayMinutes: 30 });
    const { headers, body } = gatewayMessage(
      { url: 'https://gateway.example/messages', key: 'kunci' },
      { id: 'n1', kind: 'delayed', to: '+6281234567890', parts },
    );
    expect(headers).toMatchObject({ Authorization: 'Bearer kunci', 'Idempotency-Key': 'n1' });
    expect(JSON.parse(body)).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '+6281234567890',
      type: 'template',
      template: {
        name: 'janji_delayed',
        language: { code: 'id' },
        components: [
          {
            type: 'body',
            parameters: [
              'Putri Ayu',
              'dr. Sari Wulandari',
              'Senin, 23 November 2026',
              '09.30 WITA',
              'K7M2QX',
              'Klinik Sehat',
              '30',
            ].map((text) => ({ type: 'text', text })),
          },
        ],
      },
      biz_opaque_callback_data: 'n1',
    });
  });
});
