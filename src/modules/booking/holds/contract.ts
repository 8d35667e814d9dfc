import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, localDate, localTime, named, utcInstant, uuid } from '../../../core/endpoint/fields.ts';

const path = '/v1/holds';

const holdShape = () => ({
  id: uuid(),
  doctor_id: uuid(),
  session_id: uuid(),
  schedule_date: localDate(),
  schedule_time: localTime(),
  ends_at: described(utcInstant(), 'When the slot ends.'),
  expires_at: described(utcInstant(), 'Until when the seat is held; afterwards anybody may book it.'),
});

const Hold = named('Hold', holdShape);

const MadeHold = named('MadeHold', () => ({
  ...holdShape(),
  secret: described(
    z.string(),
    'Shows whose the hold is, in the header `X-Hold-Secret`; said once and stored as a hash. Never put it into an address.',
    { example: 'q3bXl0Zc8m1vQvXy7d2KpwN4sT6uW8yA0bC2dE4fG6h' },
  ),
}));

const where404 =
  'Where the clinic has turned on logging in by code (`LOGIN_BY_CODE` and sends mail, or `LOGIN_BY_PHONE_CODE` and sends messages); 404 elsewhere.';

const common = { tag: 'bookings', access: 'public', takesToken: true, holdSecret: true } as const;

export const HoldSlot = endpoint({
  ...common,
  scope: 'bookings:write',
  method: 'post',
  path,
  // A new hold ends the one before, or itself after five minutes.
  repeatable: true,
  summary: 'Hold a slot for five minutes',
  description: `For somebody who has yet to say who they are: until \`expires_at\` nobody else gets the seat, and booking the slot with the hold turns it into the booking. ${where404} Without a login too. An account has one hold: a new one takes the place of the last, once the new slot is won; so does one that is asked for with the \`X-Hold-Secret\` of another. Whether the patient may book the slot is judged when it is booked. Without a login few at a time are held for a network, for a doctor's day, and in the whole clinic (429): the slot can then be booked without a hold. An API key has no limit here but that of its requests.`,
  body: () =>
    z.object({
      doctor_id: uuid(),
      session_id: uuid(),
      schedule_date: localDate(),
      schedule_time: localTime(),
    }),
  returns: {
    201: {
      description: 'Held.',
      data: MadeHold,
      message: {
        id: 'Jadwal ini kami tahan untuk Anda selama 5 menit.',
        en: 'We hold this slot for you for 5 minutes.',
      },
      headers: ['Location'],
    },
  },
  fails: [
    'not_found',
    'slot_full',
    'doctor_not_found',
    'session_not_offered',
    'slot_unavailable',
    'rate_limited',
  ],
});

export const GetHold = endpoint({
  ...common,
  scope: 'bookings:read',
  method: 'get',
  path: `${path}/{id}`,
  summary: 'A slot that is held',
  description: `With its \`X-Hold-Secret\`, or the login that it was made with, or by the clinic; 404 once it is over, was given back, or is a booking. ${where404}`,
  returns: { 200: { description: 'The hold.', data: Hold } },
});

export const ReleaseHold = endpoint({
  ...common,
  scope: 'bookings:write',
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'Give a held slot back',
  description: `With its \`X-Hold-Secret\`, or the login that it was made with, or by the clinic: the seat is free at once. ${where404}`,
  returns: {
    200: {
      description: 'Given back.',
      message: { id: 'Jadwal ini sudah Anda lepaskan.', en: 'The slot was given back.' },
    },
  },
});
