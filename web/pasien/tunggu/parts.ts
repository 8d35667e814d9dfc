// Loaded once something waits: what shows the waitlist on the other screens.
export { Waiting } from './Entries.tsx';
export { Offers, OfferTicket } from './Offers.tsx';
