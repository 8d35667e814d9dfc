import type id from './id.ts';

const en: typeof id = {
  title: 'Check in at the clinic',
  here: (name) => (name === null ? 'I am here' : `${name} is here`),
  done: (name) =>
    name === null
      ? 'You are checked in. Please wait until your number is called.'
      : `${name} is checked in. Please wait until that number is called.`,
  choose: 'For which booking?',
  none: 'No booking of today waits to be checked in. Please go to the reception.',
  noPoster: 'Scan the QR code of the poster at the clinic with the camera of your phone.',
  login: 'Log in first to check in.',
};

export default en;
