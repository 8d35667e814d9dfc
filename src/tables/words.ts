// Values that both the tables and the API use.

/** What can happen to a booking. */
export const eventTypes = [
  'booking.created',
  'booking.approved',
  'booking.canceled',
  'booking.rescheduled',
  'booking.checked_in',
  'booking.called',
  'booking.completed',
  'booking.no_show',
  'booking.updated',
] as const;
export type EventType = (typeof eventTypes)[number];

/** How a delivery stands. */
export const deliveryStates = ['pending', 'delivered', 'given_up'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why a receiver is sent nothing for now. */
export const pausedReasons = ['admin', 'failing', 'gone', 'secret_lost'] as const;
export type PausedReason = (typeof pausedReasons)[number];

/** Why an attempt got no answer: one of our own codes, never the receiver's text. */
export const attemptFailures = ['timeout', 'connection', 'refused_address'] as const;
export type AttemptFailure = (typeof attemptFailures)[number];
