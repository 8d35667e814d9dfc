import type id from './id.ts';

const en: typeof id = {
  title: 'Check in at the clinic',
  here: 'I am here',
  done: 'You are checked in. Please wait until your number is called.',
  choose: 'For which booking?',
  none: 'No booking of today waits to be checked in. Please go to the reception.',
  noPoster: 'Scan the QR code of the poster at the clinic with the camera of your phone.',
  login: 'Log in first to check in.',
};

export default en;
