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

/**
 * Lets an object begin anew, the next time, as it was at a moment; gives the bookmark of now, which undoes it. Throws
 * `CannotRewind`, and then nothing is different.
 */
export const rewindStorage = async (storage: Rewindable, to: PastMoment): Promise<string> => {
  try {
    const bookmark = 'bookmark' in to ? to.bookmark : await storage.getBookmarkForTime(to.at);
    return await storage.onNextSessionRestoreBookmark(bookmark);
  } catch (error) {
    throw new CannotRewind(error instanceof Error ? error.message : 'the platform refused', { cause: error });
  }
};
