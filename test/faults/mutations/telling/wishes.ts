import { noticeChoices } from '../../../../src/core/tables/mail.ts';
import { type NoticeKind, noticeKinds } from '../../../../src/core/tables/words.ts';
import type { Member } from '../clinic.ts';
import type { Stress } from '../stress.ts';

interface Wish {
  message: boolean;
  kinds: readonly NoticeKind[];
  language: 'id' | 'en';
}

/** The notices that some patients want. Each changes all fields of the choice at once, one request after another. */
export const openWishes = ({ app, db, random }: Stress, people: readonly Member[]) => {
  const wishes = new Map<string, Wish>();
  const wishOf = (id: string): Wish =>
    wishes.get(id) ?? { message: true, kinds: noticeKinds, language: 'id' };

  const choose = async ({ id, token }: Member, body: Partial<Wish>): Promise<void> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const sent = { method: 'PATCH', headers, body: JSON.stringify(body) };
    const { status } = await app.request('http://localhost/v1/auth/notices', sent);
    if (status === 200) wishes.set(id, { ...wishOf(id), ...body });
  };

  return {
    people,
    choose,

    change: () =>
      Promise.all(
        people.flatMap((person) => [
          choose(person, { message: random() < 0.6 }),
          choose(person, { kinds: noticeKinds.filter(() => random() < 0.6) }),
          choose(person, { language: random() < 0.5 ? 'id' : 'en' }),
        ]),
      ),

    isStopped: (id: string, kind: NoticeKind): boolean => {
      const { message, kinds } = wishOf(id);
      return !message || !kinds.includes(kind);
    },

    /** The patients whose stored choice differs from the acknowledged one. */
    forgotten: async (): Promise<string[]> => {
      const rows = await db.select().from(noticeChoices);
      return people
        .filter(({ id }) => {
          const { message, kinds, language } = wishOf(id);
          const row = rows.find(({ personId }) => personId === id);
          const stopped: string[] = JSON.parse(row?.stoppedKinds ?? '[]');
          const stands = noticeKinds.filter((kind) => !stopped.includes(kind));
          return (
            (row?.message ?? true) !== message ||
            (row?.language ?? 'id') !== language ||
            stands.join() !== kinds.join()
          );
        })
        .map(({ id }) => id);
    },

    forget: async (): Promise<void> => {
      wishes.clear();
      await db.delete(noticeChoices);
    },
  };
};
