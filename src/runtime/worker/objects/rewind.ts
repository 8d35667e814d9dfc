import type { PastMoment } from '../../../modules/operators/premises.ts';

/** The storage of an object, as far as it goes back in time. */
export interface Rewindable {
  getBookmarkForTime(at: number): Promise<string>;
  onNextSessionRestoreBookmark(bookmark: string): Promise<string>;
}

/** The platform cannot go back, or not so far; its message is for the operator. */
export class CannotRewind extends Error {
  override readonly name = 'CannotRewind';
}

/** The bookmark of the moment at which the clinic was made; null where the platform does not go back so far. */
const bookmarkOfMaking = (storage: Rewindable, madeAt: number): Promise<string | null> =>
  storage.getBookmarkForTime(madeAt).catch(() => null);

/**
 * Lets an object begin anew, the next time, as it was at a moment; gives the bookmark of now, which undoes it. Throws
 * `CannotRewind`, and then nothing is different. An earlier clinic of the same id, which was deleted, does not come back: this one's
 * archive and sandbox would be its.
 */
export const rewindStorage = async (storage: Rewindable, to: PastMoment, madeAt: number): Promise<string> => {
  try {
    const bookmark = 'bookmark' in to ? to.bookmark : await storage.getBookmarkForTime(to.at);
    const made = await bookmarkOfMaking(storage, madeAt);
    // Of two bookmarks the earlier one is the lesser text.
    if (made !== null && bookmark < made) throw new CannotRewind('the clinic was made later than that');
    return await storage.onNextSessionRestoreBookmark(bookmark);
  } catch (error) {
    if (error instanceof CannotRewind) throw error;
    throw new CannotRewind(error instanceof Error ? error.message : 'the platform refused', { cause: error });
  }
};
