import Database from 'libsql';

/** How libSQL encrypts a file: each page on its own, and its log as well, with a key that is made of the given one. */
export const encryptionCipher = 'aes256cbc';

interface Options {
  /** How long the driver waits for a lock, in milliseconds. */
  timeout: number;
  /** The key of an encrypted file, as text. */
  key?: string | undefined;
}

/** Opens a file by the driver; that the key is not the file's shows at the first statement. */
export const openFile = (path: string, { timeout, key }: Options): Database.Database => {
  // The driver's types do not know its options of encryption.
  const options = { timeout, ...(key !== undefined && { encryptionCipher, encryptionKey: key }) };
  return new Database(path, options);
};
