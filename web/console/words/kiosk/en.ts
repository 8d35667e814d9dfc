import { count } from '../../../shared/words/count.ts';
import type { Words } from './id.ts';

const en: Words = {
  about: 'Patients can check in at a tablet or by a poster, without queueing at the reception.',
  off: 'Check-in without the desk is off.',
  on: (minutes) =>
    `Check-in is open from ${count(minutes, 'minute')} before until ${count(minutes, 'minute')} after the time.`,
  change: 'Set the time',
  tablets: 'Tablets',
  tabletsAbout: 'A tablet can only check patients in. Revoke one that is lost.',
  noTablets: 'No tablet yet.',
  add: 'Add a tablet',
  name: 'Name of the tablet',
  nameHint: 'Such as: lobby, first floor.',
  made: 'Open this address on the tablet, or show this QR code to its camera. Shown only once:',
  qrTablet: 'QR code that pairs the tablet',
  copied: 'It is paired',
  never: 'never used',
  used: (when) => `last used ${when}`,
  revoke: 'Revoke',
  askRevoke: (name) => `Revoke the tablet ${name}?`,
  askRevokeText: 'It cannot check anybody in any more.',
  revoked: 'The tablet was revoked.',
  poster: 'Poster',
  posterAbout:
    'Patients scan the poster with their own phone and press "I am here" on their ticket. Hang it up inside the clinic.',
  noPoster: 'No poster yet.',
  make: 'Make a poster',
  print: 'Print the poster',
  renew: 'Replace the poster',
  askRenew: 'Replace the poster?',
  askRenewText: 'The one that hangs there will not be valid any more. Print the new one afterwards.',
  isMade: 'The poster is ready to be printed.',
  qrPoster: 'QR code of the poster',
  sheetTitle: 'Check in here',
  steps: [
    'Scan this QR code with the camera of your phone.',
    'Log in to your account.',
    'Press "I am here" on your ticket.',
  ],
  sheetDesk: 'No phone? Please go to the reception.',
};

export default en;
