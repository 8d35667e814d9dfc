import * as z from 'zod/mini';
import { endpoint } from '../../core/endpoint/endpoint.ts';
import { described, localDate, localTime, named, utcInstant, uuid } from '../../core/endpoint/fields.ts';
import { pageMeta, paging } from '../../core/endpoint/query-fields.ts';
import { exchangeReasons, exchangeStates, exchangeSteps, exchangeTargets } from '../../core/tables/words.ts';

const System = () => described(z.enum(exchangeTargets), 'The health system.');
const reason = () =>
  described(z.nullable(z.enum(exchangeReasons)), 'Why it was not taken; null of none.', {
    example: 'referral',
  });
const message = () =>
  described(z.nullable(z.string()), 'The same in words, and what to do about it.', {
    example: 'The referral is not valid. Correct its number in the booking.',
  });

const Exchange = named('Exchange', () => ({
  id: uuid(),
  system: System(),
  step: described(
    z.enum(exchangeSteps),
    'What is reported: that it is booked, the arrival, the first call, the end, that nobody came, or that it is off.',
  ),
  state: described(
    z.enum(exchangeStates),
    '`waiting`: it is sent by itself; `parked`: a person has to act; `left`: a person gave it up.',
  ),
  booking_id: uuid(),
  booking_code: described(z.string(), 'The code of the booking.', { example: '7KQ2M9XR' }),
  doctor_name: described(z.string(), 'The doctor of the booking.', { example: 'dr. Sari Wulandari' }),
  schedule_date: localDate(),
  schedule_time: localTime(),
  occurred_at: described(utcInstant(), 'When it happened: the instant that is reported.'),
  next_attempt_at: described(z.nullable(utcInstant()), 'When it is due; null unless it waits.', {
    example: null,
  }),
  attempts: described(z.int(), 'How often it was tried.', { example: 1 }),
  reason: reason(),
  message: message(),
  answer: described(z.nullable(z.string()), 'What the other system said, without numbers of people.', {
    example: 'Rujukan tidak valid',
  }),
}));

const SystemState = named('ExchangeSystem', () => ({
  system: System(),
  waiting: described(z.int(), 'How many steps are sent by themselves.', { example: 0 }),
  parked: described(z.int(), 'How many steps want a person.', { example: 1 }),
  resting_until: described(
    z.nullable(utcInstant()),
    'Until when nothing is sent to it; null unless it is left in peace.',
    { example: null },
  ),
  reason: reason(),
  message: message(),
}));

const path = '/v1/admin/exchanges';
const common = { tag: 'admin', access: ['staff', 'admin'] } as const;

export const ListExchanges = endpoint({
  ...common,
  method: 'get',
  path,
  discloses: 'nothing',
  summary: 'What waits to be reported to BPJS and SATUSEHAT',
  description:
    'What was taken is gone from here. `meta.systems` has those that are switched on, and how each stands.',
  query: () =>
    z.object({
      ...paging(),
      state: described(z.optional(z.enum(exchangeStates)), 'Only those in this state.'),
      system: described(z.optional(z.enum(exchangeTargets)), 'Only those for this system.'),
    }),
  returns: {
    200: {
      description: 'A page, in the order in which it happened.',
      data: () => z.array(Exchange()),
      meta: () =>
        z.extend(pageMeta(), {
          systems: described(z.array(SystemState()), 'How each system stands that is switched on.'),
        }),
    },
  },
});

export const RetryExchange = endpoint({
  ...common,
  method: 'post',
  path: `${path}/{id}/retry`,
  summary: 'Send a step again',
  description: 'At once, and for a day again; a system that is left in peace is tried too.',
  idempotent: true,
  returns: {
    202: { description: 'It is on its way.', message: 'sent_again' },
  },
});

export const LeaveExchange = endpoint({
  ...common,
  method: 'post',
  path: `${path}/{id}/leave`,
  summary: 'Give a step up',
  description:
    'It is not sent any more, and the next step of the booking goes. Where the other system has not heard of the visit, its later steps are given up too.',
  idempotent: true,
  returns: { 200: { description: 'Given up.', message: 'changed' } },
});
