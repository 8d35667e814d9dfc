import type { Words } from './id.ts';

const en: Words = {
  title: (name) => `Page of ${name}`,
  about:
    'Once published, everybody can read this page and search engines find it. Please ask the doctor first.',
  back: 'All doctors',
  published: 'Publish this page',
  slug: 'Address of the page',
  slugHint:
    'Small letters, digits and hyphens. Leave it empty to use the doctor’s name. Former addresses still lead here.',
  text: 'About the doctor',
  education: 'Education',
  educationHint: 'One line each, at most 10.',
  languages: 'Languages',
  regional: { mad: 'Madurese', min: 'Minangkabau', ban: 'Balinese', bug: 'Buginese' },
  photo: 'Photo',
  photoHint: 'JPEG, PNG or WebP. Cut to a square in the middle; place and data of the camera are removed.',
  photoNow: 'Present photo',
  photoNew: 'New photo, not saved yet',
  photoBad: 'This picture cannot be read. Please choose a JPEG, PNG or WebP.',
  photoRemove: 'Remove photo',
  share: 'Share',
  open: 'View page',
  notYet: 'The page is not published: its address does not open yet.',
  qr: (url) => `QR code that opens ${url}`,
  print: 'Print QR code',
  scan: 'Scan to book an appointment',
  card: 'Card for other web sites',
  cardAbout:
    'Copy it into web sites whose origins an admin named on the page Clinic. Elsewhere the card is not shown.',
  remove: 'Delete page',
  removeAsk: 'Delete this page?',
  removeText: 'Text, photo and all of its addresses are deleted. The doctor and the schedules stay.',
};

export default en;
