import { pathToFileURL } from 'node:url';
import { encryptionCipher, openFile } from '../../../core/db/embedded/open-file.ts';

/** The file to copy and the keys of both files; keys are sent in a message, since anybody can read a command line. */
export interface CopyOrder {
  from: string;
  to: string;
  key?: string | undefined;
  toKey?: string | undefined;
}

/** SQLite takes the key of a new file from its address; without one it would have that of the source. */
const buildAddress = ({ to, key, toKey }: CopyOrder): string =>
  key === toKey ? to : `${pathToFileURL(to).href}?cipher=${encryptionCipher}&key=${toKey ?? ''}`;

process.once('message', (order: CopyOrder) => {
  try {
    const database = openFile(order.from, { timeout: 5000, key: order.key });
    database.prepare('VACUUM INTO ?').run([buildAddress(order)]);
    database.close();
  } catch (error) {
    process.exitCode = 1;
    const message = error instanceof Error ? error.message : 'unknown';
    // SQLite quotes the address of a file that it cannot open.
    process.send?.(message.replace(/\?cipher=\S*/, ''));
  }
  process.disconnect?.();
});
