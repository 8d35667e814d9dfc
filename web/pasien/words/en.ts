import type { Words } from './id.ts';

const en: Words = {
  title: 'Appointments',
};

export default en;
