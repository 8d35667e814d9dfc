import type { Words } from './id.ts';

const en: Words = {
  title: 'Clinic console',
};

export default en;
