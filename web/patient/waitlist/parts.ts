// Loaded once there is an entry: the waitlist's parts of the other screens.
export { Waiting } from './Entries.tsx';
export { Offers, OfferTicket } from './Offers.tsx';
