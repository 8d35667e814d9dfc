import type id from './id.ts';

const en: typeof id = {
  noChoice: 'Not answered yet',
  yes: 'Yes',
  no: 'No',
  numberHint: 'A number, such as 36.5',
};

export default en;
