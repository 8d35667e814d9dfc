import type id from './id.ts';

const en: typeof id = {
  dateForm: 'dd/mm/yyyy',
  timeForm: 'hh:mm',
  unreadDate: 'Write the day, month and year, such as 26/11/2026.',
  noSuchDay: 'There is no such day in the calendar.',
  tooEarly: (first) => `No earlier than ${first}.`,
  tooLate: (last) => `No later than ${last}.`,
  unreadTime: 'Write hours and minutes, from 00:00 to 23:59, such as 08:30.',
  calendar: 'Open the calendar',
  yearBefore: 'The year before',
  monthBefore: 'The month before',
  monthAfter: 'The month after',
  yearAfter: 'The year after',
  today: 'Today',
};

export default en;
