import { expect, it } from 'vitest';
import desk from '../../../web/console/words/desk/en.ts';
import settings from '../../../web/console/words/settings/en.ts';
import kiosk from '../../../web/kiosk/words/en.ts';

it('counts one thing as one in English', () => {
  expect(desk.people.mergeResult(1, 0)).toBe('1 booking and 0 family relations will move.');
  expect(settings.schedules.week(1, 1)).toBe('1 slot, 1 seat a week in all.');
  expect(kiosk.leaves(1)).toBe('Back to the start in 1 second.');
  expect(kiosk.leaves(2)).toBe('Back to the start in 2 seconds.');
});
