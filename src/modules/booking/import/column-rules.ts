// Pure: which field a column of a file of visits is.

import { createRecognizer } from '../../patients/import/column-rules.ts';
import type { FileFields } from '../../patients/import/reader.ts';
import { type VisitField, visitFields } from './cell-rules.ts';

/** The names that people give these columns, in Indonesian and English. */
const recognizeVisitColumns = createRecognizer<VisitField>({
  patient_external_id:
    'id pasien|kode pasien|pasien id|patient id|patient code|patient external id|id lama pasien',
  medical_record_number:
    'rm|no rm|nomor rm|norm|rekam medis|no rekam medis|nomor rekam medis|no rekam medik|no medrec|mr|mrn|mr no|medical record number',
  doctor: 'dokter|nama dokter|dpjp|doctor|doctor name|physician|practitioner',
  session: 'poli|poliklinik|nama poli|layanan|sesi|unit|klinik|jenis layanan|session|service|clinic',
  date: 'tanggal|tgl|tanggal kunjungan|tgl kunjungan|tanggal periksa|tgl periksa|tanggal daftar|tgl daftar|tgl registrasi|tanggal registrasi|waktu|waktu kunjungan|date|visit date|appointment date|schedule date',
  time: 'jam|jam kunjungan|jam periksa|jam mulai|pukul|time|start time|schedule time',
  end_time: 'jam selesai|sampai|sampai jam|end|end time',
  status: 'status|status kunjungan|hasil|keadaan|outcome|visit status',
  canceled_by: 'dibatalkan oleh|batal oleh|canceled by|cancelled by',
  staff_notes: 'catatan|catatan petugas|catatan staf|keterangan|ket|keluhan|notes|note|staff notes|remarks',
  external_id:
    'id|id kunjungan|kode kunjungan|no kunjungan|nomor kunjungan|no registrasi|nomor registrasi|no reg|no daftar|no pendaftaran|kode|id luar|external id|visit id|appointment id|booking id|encounter id',
});

export const visitFile: FileFields<VisitField> = { fields: visitFields, recognize: recognizeVisitColumns };
