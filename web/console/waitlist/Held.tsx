import { useSignal } from '@preact/signals';
import { timeOf } from '../../shared/time.ts';
import { Banner } from '../../shared/ui/States.tsx';
import type { Booking } from '../data/bookings.ts';
import { now } from '../data/clinic.ts';
import { listOffered, useWaitlist } from '../data/waitlist.ts';
import { words } from '../words.ts';
import { OfferActions } from './OfferActions.tsx';

/** Shown instead of a booking's actions: a held seat, its patient, and its end. */
export const Held = ({ booking, until }: { booking: Booking; until: string }) => {
  const text = words.value.held;
  const said = useSignal('');
  const list = useWaitlist().value.data;
  const offered = listOffered(list).find(({ offer }) => offer.booking_id === booking.id);
  const isHeld = booking.status === 'waiting' && Date.parse(until) > now.value;
  return (
    <>
      <Banner kind="warning" role="status">
        {isHeld ? text.text(booking.patient.name, timeOf(until)) : text.overText}
      </Banner>
      {offered !== undefined && <OfferActions of={offered} onSaid={(what) => (said.value = what)} />}
      <p role="status">{said.value}</p>
    </>
  );
};
