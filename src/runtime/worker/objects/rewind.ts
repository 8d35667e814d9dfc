import { dayMs } from '../../../core/clinic/durations.ts';
import type { PastMoment } from '../../../modules/operators/hosting.ts';

/** The storage of an object, as far as it goes back in time. */
interface Rewindable {
  getBookmarkForTime(at: number): Promise<string>;
  onNextSessionRestoreBookmark(bookmark: string): Promise<string>;
}

/** The platform cannot go back, or not so far; its message is for the operator. */
export class CannotRewind extends Error {
  override readonly name = 'CannotRewind';
}

/** How far the platform goes back: what is asked of an older moment fails. */
const pastMs = 30 * dayMs;

/**
 * Lets an object begin anew, the next time, as it was at a moment; gives the bookmark of now, which undoes it. Throws
 * `CannotRewind`, and then nothing is different. An earlier clinic of the same id, which was deleted, does not come back: this one's
 * archive and sandbox would be its.
 */
export const rewindStorage = async (
  storage: Rewindable,
  to: PastMoment,
  { madeAt, now }: { madeAt: number; now: number },
): Promise<string> => {
  try {
    const bookmark = 'bookmark' in to ? to.bookmark : await storage.getBookmarkForTime(to.at);
    // Of two bookmarks the earlier one is the lesser text. Whatever the platform still has is later than an older making.
    if (madeAt >= now - pastMs && bookmark < (await storage.getBookmarkForTime(madeAt)))
      throw new CannotRewind('the clinic was made later than that');
    return await storage.onNextSessionRestoreBookmark(bookmark);
  } catch (error) {
    if (error instanceof CannotRewind) throw error;
    throw new CannotRewind(error instanceof Error ? error.message : 'the platform refused', { cause: error });
  }
};
