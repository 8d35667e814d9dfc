import type { Words } from './id.ts';

const en: Words = {
  title: 'Queue display',
};

export default en;
