import { closeSync, fchownSync, lchownSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The owner of a file's folder, if root makes a file in a folder of another user; else null. The service runs as that
 * user, and could not write a file that belongs to root.
 */
const findOtherOwner = (path: string): { uid: number; gid: number } | null => {
  if (process.getuid?.() !== 0) return null;
  const { uid, gid } = statSync(dirname(path));
  return uid === 0 ? null : { uid, gid };
};

/** Gives a new file or folder that root made to the owner of its folder. */
export const giveToOwner = (path: string): void => {
  const owner = findOtherOwner(path);
  if (owner !== null) lchownSync(path, owner.uid, owner.gid);
};

/** Makes a database of root's process an empty file of the owner of its folder, before SQLite makes one of root. */
export const makeForOwner = (path: string): void => {
  const owner = findOtherOwner(path);
  if (owner === null || statSync(path, { throwIfNoEntry: false }) !== undefined) return;
  const file = openSync(path, 'a', 0o600);
  fchownSync(file, owner.uid, owner.gid);
  closeSync(file);
};
