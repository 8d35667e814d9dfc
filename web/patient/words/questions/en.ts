import type { Words } from './id.ts';

const en: Words = {
  title: (name) => `Questions before the visit${name === null ? '' : ` of ${name}`}`,
  left: (n) =>
    `${n} required ${n === 1 ? 'question is' : 'questions are'} not answered yet. Your appointment stands.`,
  none: 'All required questions are answered. You can change your answers until the visit is over.',
  who: 'Only the staff of the clinic and the doctor see your answers.',
  required: 'Please answer.',
  save: 'Save answers',
  kept: 'Your answers were saved.',
  keptSome: (n) =>
    `Your answers were saved. ${n} required ${n === 1 ? 'question is' : 'questions are'} not answered yet.`,
  answered: 'Your answers',
};

export default en;
