import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { BookingDetail, change } from '../record/shapes.ts';

export const ConfirmBooking = endpoint({
  method: 'post',
  path: '/v1/bookings/{id}/confirm',
  tag: 'bookings',
  summary: 'Say that the patient will come',
  description:
    'By the patient, or by the clinic that was told so, once a reminder has asked (`asked_at`) and until the visit begins. Done again it changes nothing. A move makes both void: the reminder of the new time asks again.',
  access: 'bearer',
  scope: 'bookings:write',
  idempotent: true,
  bodyOptional: true,
  body: change,
  returns: { 200: { description: 'Noted.', data: BookingDetail, message: 'changed' } },
  fails: ['invalid_transition', 'version_mismatch'],
});
