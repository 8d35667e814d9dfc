import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described } from '../../../core/endpoint/fields.ts';
import { once } from '../../../core/endpoint/once.ts';
import { cell, importStep } from '../../patients/import/contract.ts';
import { type VisitField, visitFields } from './cell-rules.ts';

const meanings: Readonly<Record<VisitField, [description: string, example: string]>> = {
  patient_external_id: ["The patient's id in the source, as an import of patients gave it.", '17'],
  medical_record_number: ['The patient by this number of the clinic.', 'RM-000017'],
  doctor: [
    'By name, with or without titles, by `external_id`, or by id; retired ones too.',
    'dr. Sri Wahyuni',
  ],
  session: ['By name, by `external_id`, or by id; retired ones too.', 'Konsultasi umum'],
  date: ['As it was typed, before today; a time may stand behind it.', '05/03/2024'],
  time: [
    'Its beginning, by the clinic’s clock; without one the visit stands at the beginning of the day.',
    '09:30',
  ],
  end_time: ['Its end; a quarter of an hour after its beginning unless set.', '09:45'],
  status: ['As it was typed: selesai, tidak hadir, batal, completed, no show, canceled.', 'selesai'],
  canceled_by: ['Of a canceled one: pasien or klinik; the clinic unless set.', 'pasien'],
  staff_notes: ['For the clinic alone.', 'Kontrol'],
  external_id: ['The id in the source: by it a row that comes again is known.', 'K-2024-118'],
};

const ImportVisit = once(() =>
  z.object({
    row: described(z.int().check(z.minimum(1)), 'Its number, higher than that of the row before.', {
      example: 2,
    }),
    ...(Object.fromEntries(
      visitFields.map((field) => {
        const [description, example] = meanings[field];
        return [field, cell(description, example)];
      }),
    ) as Record<VisitField, ReturnType<typeof cell>>),
  }),
);

export const ImportVisits = endpoint({
  tag: 'admin',
  access: ['admin'],
  scope: 'bookings:write',
  method: 'post',
  path: '/v1/admin/imports/{id}/visits',
  summary: 'Import the next visits of the past',
  description:
    'One atomic step: visits of an import of the kind `visits`, and how far it has come. They are bookings of the channel `imported`: in the history of their patients, in lists, exports and statistics, without a queue number or a notice, without an event or a webhook unless the import was begun with `events`, and nothing can be done to them. One that is known by its `external_id` and `source`, or whose patient has a booking with the doctor at that start, is left as it is: `unchanged`, or `skipped` where the row says something else.',
  ...importStep(ImportVisit, {
    row: 2,
    patient_external_id: '17',
    doctor: 'dr. Sri Wahyuni',
    session: 'Konsultasi umum',
    date: '05/03/2024 09:30',
    status: 'selesai',
    external_id: 'K-2024-118',
  }),
});
