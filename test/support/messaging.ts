import { notices } from '../../src/core/tables/mail.ts';
import { act, book, createTelling, openBox } from './notices.ts';
import type { World } from './world.ts';

/** A clinic that sends messages alone, with one visit that was approved. */
export const createMessaging = async (plan: string) => {
  const { settings, box } = openBox(plan);
  const telling = await createTelling({ ...settings, REMINDER_EARLY_HOURS: '0', REMINDER_LATE_HOURS: '0' });
  const id = await book(telling);
  await act(telling, id, 'approve');
  const logged: string[] = [];
  for (const level of ['warn', 'error'] as const)
    telling.world.deps.log[level] = (...line) => void logged.push(JSON.stringify(line));
  return { ...telling, id, box, logged };
};

export const noticeOf = async ({ db }: World) => (await db.select().from(notices))[0]?.id ?? '';
