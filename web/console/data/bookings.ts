import type { Schemas } from '../../../client/index.ts';
import { dateOf } from '../../shared/time.ts';
import type { State } from '../../shared/ui/StateBadge.tsx';

export type { Schemas };
export type Booking = Schemas['ClinicBooking'];
export type Detail = Schemas['BookingDetail'];
type Action = Booking['allowed_actions'][number];

/** The text of the badge: the state of the visit, if there is one, or of the booking. */
export const toState = ({
  status,
  visit,
  cancellation,
}: Pick<Detail, 'status' | 'visit' | 'cancellation'>): State => {
  if (visit !== null) return visit.status;
  if (status !== 'canceled') return status;
  const code = cancellation?.reason_code;
  return code === 'rejected' || code === 'expired' ? code : 'canceled';
};

/** The time that belongs to the state, if it adds information to the word. */
export const findSince = ({ visit }: Pick<Detail, 'visit'>): string | null => {
  if (visit?.status === 'checked_in') return visit.checked_in_at;
  if (visit?.status === 'called') return visit.called_at;
  return null;
};

/** Whether a patient whom a reminder asked has said that they come; null of one who is not expected any more. */
export const toConfirmation = (booking: Booking): 'confirmed' | 'unanswered' | null =>
  booking.status === 'canceled' || booking.visit !== null || booking.asked_at === null
    ? null
    : booking.confirmed_at === null
      ? 'unanswered'
      : 'confirmed';

/** Whether its number is of use: the patient is expected, is here, or is being called. */
export const hasSlip = (booking: Booking): boolean =>
  booking.queue_label !== '' && ['approved', 'checked_in', 'called'].includes(toState(booking));

/** Whether the time of an action has ended since the booking was read: to approve until its end, to come on its day. */
const isOver = ({ status, schedule_date, ends_at }: Booking, action: Action, now: number): boolean => {
  const isLate = status === 'waiting' && Date.parse(ends_at) <= now;
  if (action === 'check-in') return isLate || schedule_date < dateOf(now);
  return action === 'approve' && isLate;
};

/** The actions open now: those that the service allowed or said would be allowed by now, and whose time has not ended. */
export const listActions = (booking: Booking, now: number): ReadonlySet<Action> =>
  new Set(
    [
      ...booking.allowed_actions,
      ...booking.upcoming_actions.filter(({ from }) => Date.parse(from) <= now).map(({ action }) => action),
    ].filter((action) => !isOver(booking, action, now)),
  );

const first = (booking: Booking): Verb => {
  if (booking.visit?.status === 'called') return 'complete';
  if (booking.visit?.status === 'checked_in') return 'call';
  return booking.status === 'waiting' ? 'approve' : 'check-in';
};

/** The one thing that is done next, if it may be done. */
export const findPrimary = (booking: Booking, now: number): Verb | null => {
  const verb = first(booking);
  return listActions(booking, now).has(verb) ? verb : null;
};

export type Verb =
  | 'approve'
  | 'reject'
  | 'check-in'
  | 'call'
  | 'complete'
  | 'no-show'
  | 'undo'
  | 'skip'
  | 'cancel';
const verbs: readonly Verb[] = [
  'approve',
  'check-in',
  'call',
  'complete',
  'skip',
  'undo',
  'no-show',
  'reject',
  'cancel',
];

/** The further actions, in a fixed order. */
export const listFurther = (booking: Booking, now: number): Verb[] => {
  const actions = listActions(booking, now);
  const primary = findPrimary(booking, now);
  return verbs.filter((verb) => verb !== primary && actions.has(verb));
};

export const bySlot = (a: Booking, b: Booking): number =>
  a.starts_at < b.starts_at
    ? -1
    : a.starts_at > b.starts_at
      ? 1
      : a.queue_label.localeCompare(b.queue_label, 'id', { numeric: true });

/** A phone number in lists: enough to tell two people apart. The detail shows all of it. */
export const phoneTail = ({ phone_number }: { phone_number: string }): string =>
  phone_number === '' ? '' : `…\u00a0${phone_number.slice(-4)}`;

export const formatPhone = ({
  phone_country_code: code,
  phone_number: number,
}: {
  phone_country_code: string;
  phone_number: string;
}): string => {
  if (number === '') return '';
  const local = number
    .replace(/^0/, '')
    .replace(/(\d{3})(\d{3,4})(\d*)/, '$1 $2 $3')
    .trim();
  return code === '62' ? `0${local}` : `+${code} ${local}`;
};
