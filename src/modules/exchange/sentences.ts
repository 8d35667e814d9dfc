import type { Sentence } from '../../core/endpoint/sentences.ts';
import type { ExchangeReason, ExchangeTarget } from '../../core/tables/words.ts';

/** The names of the systems, as people know them. */
export const systemNames: Readonly<Record<ExchangeTarget, string>> = {
  bpjs: 'BPJS Antrean',
  satusehat: 'SATUSEHAT',
};

/** Why a step is not taken, and what to do about it. */
export const reasonSentences: Readonly<Record<ExchangeReason, Sentence>> = {
  no_answer: { id: 'Sistem tujuan tidak menjawab.', en: 'The other system did not answer.' },
  refused: { id: 'Sistem tujuan menolak data ini.', en: 'The other system refused this.' },
  referral: {
    id: 'Rujukan tidak berlaku. Perbaiki nomor rujukan pada janji temu.',
    en: 'The referral is not valid. Correct its number in the booking.',
  },
  order: {
    id: 'BPJS menunggu langkah sebelumnya dari kunjungan ini.',
    en: 'BPJS expects an earlier step of this visit first.',
  },
  time: {
    id: 'Waktunya tidak lebih lambat dari langkah sebelumnya di BPJS.',
    en: 'Its time is not after that of the step before at BPJS.',
  },
  unknown_visit: { id: 'BPJS tidak mengenal antrean ini.', en: 'BPJS does not know this queue number.' },
  no_card: {
    id: 'Nomor kartu BPJS pasien belum ada atau belum dikonfirmasi.',
    en: "The patient's BPJS card number is missing or not confirmed.",
  },
  no_national_id: {
    id: 'NIK pasien belum ada atau belum dikonfirmasi.',
    en: "The patient's NIK is missing or not confirmed.",
  },
  no_doctor_code: { id: 'Dokter belum punya kode HFIS.', en: 'The doctor has no code of HFIS.' },
  no_poli_code: { id: 'Layanan belum punya kode poli BPJS.', en: 'The session has no poli code of BPJS.' },
  no_hours: {
    id: 'Tidak ada jadwal dokter yang memuat waktu ini.',
    en: 'No weekly hours of the doctor contain this time.',
  },
  no_patient_ihs: {
    id: 'SATUSEHAT tidak menemukan pasien dengan NIK ini. Periksa NIK-nya.',
    en: 'SATUSEHAT knows no patient by this NIK. Check the NIK.',
  },
  no_doctor_ihs: {
    id: 'Dokter belum punya nomor IHS. Isi pada data dokter.',
    en: 'The doctor has no IHS number. Enter it with the doctor.',
  },
  no_location: {
    id: 'Layanan belum punya lokasi SATUSEHAT.',
    en: 'The session has no Location of SATUSEHAT.',
  },
  organization: {
    id: 'Nomor Organization tidak cocok dengan akun SATUSEHAT. Hubungi pengelola sistem.',
    en: 'The Organization does not belong to the account of SATUSEHAT. Ask the operator of the service.',
  },
  signature: {
    id: 'BPJS menolak akun klinik. Hubungi pengelola sistem.',
    en: "BPJS refuses the clinic's account. Ask the operator of the service.",
  },
  clock: {
    id: 'Jam server tidak tepat. Hubungi pengelola sistem.',
    en: "The server's clock is wrong. Ask the operator of the service.",
  },
  credentials: {
    id: 'SATUSEHAT menolak akun klinik. Hubungi pengelola sistem.',
    en: "SATUSEHAT refuses the clinic's account. Ask the operator of the service.",
  },
  busy: { id: 'Sistem tujuan meminta jeda.', en: 'The other system asked for a pause.' },
  internal: {
    id: 'Kesalahan pada layanan ini. Log menyebut sebabnya.',
    en: 'A fault of this service. The log names it.',
  },
};
