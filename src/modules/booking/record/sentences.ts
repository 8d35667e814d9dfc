// Sentences for people whose booking could not be made or changed.

import type { Sentence } from '../../../core/endpoint/sentences.ts';
import type { LimitReason } from '../../catalog/slots/limit-rules.ts';

/** Why a slot cannot be booked; used instead of the general sentence of `slot_unavailable`. */
export const closedSentences = {
  past: {
    id: 'Jadwal ini sudah lewat. Silakan pilih jadwal lain.',
    en: 'This slot has begun or is over. Please choose another one.',
  },
  too_soon: {
    id: 'Pemesanan untuk jadwal ini sudah ditutup (paling lambat {notice} sebelumnya). Silakan pilih jadwal lain.',
    en: 'Booking for this slot has closed ({notice} before it starts at the latest). Please choose another one.',
  },
  too_far: {
    id: 'Jadwal ini belum dibuka untuk pemesanan; jadwal dapat dipesan paling awal {advance} sebelumnya.',
    en: 'This slot is not open for booking yet; slots can be booked {advance} ahead at the earliest.',
  },
  leave: {
    id: 'Dokter tidak berpraktik pada waktu tersebut. Silakan pilih jadwal lain.',
    en: 'The doctor does not see patients at that time. Please choose another slot.',
  },
  holiday: {
    id: 'Klinik tutup pada waktu tersebut. Silakan pilih jadwal lain.',
    en: 'The clinic is closed at that time. Please choose another slot.',
  },
  not_offered: {
    id: 'Dokter tidak memiliki jadwal pada waktu tersebut. Silakan pilih jadwal lain.',
    en: 'The doctor has no slot at that time. Please choose another one.',
  },
} as const satisfies Record<string, Sentence>;

/** Why a session's limits keep a patient from a slot; used in the same way. */
export const sessionLimitSentences = {
  day_limit: {
    id: 'Setiap pasien dapat memiliki paling banyak {limit} janji temu untuk layanan ini dalam satu hari. Silakan pilih tanggal lain.',
    en: 'Each patient can have at most {limit} {limit:booking|bookings} of this service on one day. Please choose another date.',
  },
  days_between: {
    id: 'Dua janji temu untuk layanan ini harus berjarak paling sedikit {days}. Silakan pilih tanggal lain.',
    en: 'Two bookings of this service have to be at least {days} apart. Please choose another date.',
  },
  new_patients_only: {
    id: 'Layanan ini hanya untuk pasien yang belum pernah berkunjung ke klinik ini. Silakan pilih layanan lain.',
    en: 'This service is only for patients who have not visited the clinic before. Please choose another one.',
  },
  known_patients_only: {
    id: 'Layanan ini hanya untuk pasien yang sudah pernah berkunjung ke klinik ini. Silakan pilih layanan lain.',
    en: 'This service is only for patients who have visited the clinic before. Please choose another one.',
  },
} as const satisfies Record<LimitReason, Sentence>;

/** For patients about themselves; to the clinic the same is said about "the patient". */
export const ownSentences = {
  patient_busy: {
    id: 'Anda sudah memiliki janji temu lain pada waktu tersebut. Silakan pilih waktu lain.',
    en: 'You already have another booking at that time. Please choose another time.',
  },
  too_many_bookings: {
    id: 'Anda sudah mencapai batas {limit} janji temu mendatang. Batalkan salah satu atau hubungi klinik.',
    en: 'You have reached the limit of {limit} coming {limit:booking|bookings}. Cancel one or contact the clinic.',
  },
} as const satisfies Record<string, Sentence>;

/** For an account that has booked too much. */
export const limitSentences = {
  unproved: {
    id: 'Sebelum email diverifikasi, Anda dapat memiliki paling banyak {limit} janji temu mendatang. Silakan verifikasi email Anda.',
    en: 'Until your e-mail is proved you can hold at most {limit} coming {limit:booking|bookings}. Please prove your e-mail.',
  },
  made_too_many: {
    id: 'Anda sudah membuat atau memindahkan {limit} janji temu dalam satu jam terakhir. Silakan coba lagi dalam {wait}.',
    en: 'You have made or moved {limit} {limit:booking|bookings} within the last hour. Please try again in {wait}.',
  },
  wrote_too_often: {
    id: 'Anda sudah mengubah catatan dan jawaban {limit} kali dalam satu jam terakhir. Silakan coba lagi dalam {wait}.',
    en: 'You have changed notes and answers {limit} {limit:time|times} within the last hour. Please try again in {wait}.',
  },
} as const satisfies Record<string, Sentence>;

/** Why a booking cannot be changed in its present state. */
export const transitionSentences = {
  archived: {
    id: 'Janji temu lama ini sudah diarsipkan dan tidak dapat diubah lagi.',
    en: 'This old booking is archived and can no longer be changed.',
  },
  canceled: { id: 'Janji temu ini sudah dibatalkan.', en: 'This booking has been canceled.' },
  rejected: { id: 'Janji temu ini sudah ditolak oleh klinik.', en: 'The clinic has rejected this booking.' },
  expired: {
    id: 'Janji temu ini sudah kedaluwarsa karena tidak disetujui sampai jadwalnya selesai.',
    en: 'This booking has expired, since it was not approved before its slot was over.',
  },
  completed: { id: 'Kunjungan ini sudah selesai.', en: 'This visit is already completed.' },
  no_show: {
    id: 'Pasien sudah dicatat tidak hadir.',
    en: 'The patient was recorded as not having come.',
  },
  own_no_show: {
    id: 'Anda tercatat tidak hadir pada janji temu ini. Silakan hubungi klinik atau buat janji temu baru.',
    en: 'You were recorded as not having come. Please contact the clinic or make a new booking.',
  },
  own_checked_in: {
    id: 'Anda sudah check-in untuk janji temu ini. Silakan hubungi petugas klinik.',
    en: 'You are already checked in for this booking. Please speak to the staff of the clinic.',
  },
  own_begun: {
    id: 'Janji temu ini sudah dimulai, sehingga tidak dapat lagi dibatalkan atau dijadwalkan ulang. Silakan hubungi klinik.',
    en: 'This booking has begun and can no longer be canceled or moved. Please contact the clinic.',
  },
  own_too_late: {
    id: 'Janji temu hanya dapat dibatalkan atau dijadwalkan ulang paling lambat {lead} sebelumnya. Silakan hubungi klinik.',
    en: 'A booking can be canceled or moved until {lead} before it starts. Please contact the clinic.',
  },
  only_offered: {
    id: 'Tempat ini baru ditawarkan kepada pasien dari daftar tunggu. Tawaran harus diterima terlebih dahulu.',
    en: 'This place is only offered to the patient from the waitlist. The offer has to be accepted first.',
  },
  offer_over: {
    id: 'Tawaran ini sudah berakhir karena tidak diterima tepat waktu.',
    en: 'This offer is over, since it was not accepted in time.',
  },
  approved: { id: 'Janji temu ini sudah disetujui.', en: 'This booking is already approved.' },
  approved_not_rejected: {
    id: 'Janji temu ini sudah disetujui dan tidak dapat ditolak lagi. Batalkan janji temu ini jika perlu.',
    en: 'This booking is already approved and can no longer be rejected. Cancel it if need be.',
  },
  approval_over: {
    id: 'Waktu untuk menyetujui janji temu ini sudah lewat.',
    en: 'The time to approve this booking is over.',
  },
  not_approved: {
    id: 'Janji temu ini belum disetujui. Setujui terlebih dahulu.',
    en: 'This booking is not approved yet. Approve it first.',
  },
  checked_in: { id: 'Pasien sudah check-in.', en: 'The patient is already checked in.' },
  not_checked_in: { id: 'Pasien belum check-in.', en: 'The patient has not checked in.' },
  called: { id: 'Pasien sudah dipanggil.', en: 'The patient was already called.' },
  nothing_to_undo: {
    id: 'Tidak ada langkah kunjungan yang dapat dibatalkan.',
    en: 'There is no step of the visit to take back.',
  },
  undo_over: {
    id: 'Langkah terakhir hanya dapat dibatalkan pada hari yang sama.',
    en: 'The last step can be taken back on the same day alone.',
  },
  not_called: { id: 'Pasien belum dipanggil.', en: 'The patient has not been called.' },
  other_day: {
    id: 'Check-in hanya dapat dilakukan pada hari janji temu, {date}.',
    en: 'Patients can be checked in on the day of the booking alone, {date}.',
  },
  not_begun: {
    id: 'Janji temu ini belum dimulai. Ketidakhadiran dapat dicatat mulai {date}, {time}.',
    en: 'This booking has not begun. The patient can be recorded as absent from {date}, {time} on.',
  },
} as const satisfies Record<string, Sentence>;

/** For patients who check in without the desk. */
export const arrivalSentences = {
  poster_over: {
    id: 'Poster ini tidak berlaku lagi. Silakan ke meja pendaftaran.',
    en: 'This poster is not valid any more. Please go to the reception.',
  },
  early: {
    id: 'Check-in dibuka {date}, mulai {time}. Silakan kembali nanti, atau ke meja pendaftaran.',
    en: 'Check-in opens {date}, {time}. Please come back then, or go to the reception.',
  },
  late: {
    id: 'Waktu check-in untuk janji temu ini sudah lewat. Silakan ke meja pendaftaran.',
    en: 'The time to check in for this booking is over. Please go to the reception.',
  },
  ended: {
    id: 'Janji temu ini tidak dapat di-check-in. Silakan ke meja pendaftaran.',
    en: 'This booking cannot be checked in. Please go to the reception.',
  },
  unapproved: {
    id: 'Janji temu ini belum disetujui klinik. Silakan ke meja pendaftaran.',
    en: 'The clinic has not approved this booking yet. Please go to the reception.',
  },
} as const satisfies Record<string, Sentence>;
