import type { Command } from 'commander';
import { reencrypt } from '../backup/reencrypt.ts';
import { setAside, takeAlone } from '../backup/restore.ts';
import { beginsAnew, takeSandboxAlong } from '../backup/with-sandbox.ts';
import { counted } from '../counted-rules.ts';
import { findArchiveFile } from '../database/archive.ts';
import { parseFilePath, withFile } from '../database/database-file.ts';
import { type FileKey, isEncrypted } from '../database/file-key.ts';
import { findSandboxFile } from '../database/sandbox.ts';
import { type NodeSettings, parseNodeSettings } from '../settings.ts';
import { documented, give, type JsonOption } from './documented.ts';
import { note, tell } from './terminal.ts';

const parseTarget = ({ DATABASE_URL }: NodeSettings): string =>
  parseFilePath(DATABASE_URL, 'the host of a remote database encrypts it.');

interface Move {
  from: FileKey;
  to: FileKey;
  done: string;
}

/** Moves some of a database's files one after another, and says so of the last. */
const move = async (
  settings: NodeSettings,
  files: readonly string[],
  { from, to, done }: Move,
  options: JsonOption,
): Promise<void> => {
  const sandbox = findSandboxFile(settings);
  // A process that has the sandbox open has the clinic's own database open too.
  takeAlone(parseTarget(settings), from ?? to)();
  for (const path of files) {
    let counts: Awaited<ReturnType<typeof reencrypt>> = {};
    const take = async () => {
      counts = await reencrypt(path, from, to, note);
    };
    if (path !== sandbox) await take();
    else if (!(await takeSandboxAlong(path, from, take))) {
      note(
        `The sandbox ${path} cannot be read, and is kept as ${setAside(path, Date.now())}: ${beginsAnew}.`,
      );
      continue;
    }
    const rows = Object.values(counts).reduce((sum, count) => sum + count, 0);
    const tables = Object.keys(counts).length;
    const says = `${path} is ${done}: ${counted(rows, 'row')} in ${counted(tables, 'table')}, counted in both.`;
    if (path === files.at(-1)) give(options, { path, rows, tables }, () => tell(says));
    else note(says);
  }
};

/** What lies beside the database and then itself: when the database has the key, the others have it. */
const listFiles = (settings: NodeSettings, path: string): string[] =>
  [findArchiveFile(settings) ?? [], findSandboxFile(settings) ?? [], path].flat();

const opensWith = (path: string, key: FileKey): boolean => {
  try {
    withFile(path, (database) => void database.prepare('select count(*) from sqlite_master').all(), key);
    return true;
  } catch {
    return false;
  }
};

const encrypt = async (options: JsonOption): Promise<void> => {
  const settings = parseNodeSettings(process.env);
  const { DATABASE_KEY: key, DATABASE_KEY_PREVIOUS: previous } = settings;
  const path = parseTarget(settings);
  if (key === undefined)
    throw new Error('DATABASE_KEY is not set: it takes 32 bytes, such as openssl rand -base64 32 prints.');
  const plain = listFiles(settings, path).filter((file) => isEncrypted(file) !== true);
  // Where the database has a key already, what lies plain beside it gets the new one with it.
  if (plain.length > 0 && (previous === undefined || plain.includes(path)))
    return move(
      settings,
      plain,
      { from: undefined, to: key, done: 'encrypted with DATABASE_KEY now' },
      options,
    );
  if (previous === undefined)
    throw new Error(
      `${path} is encrypted already. To give it another key, set the present one as DATABASE_KEY_PREVIOUS.`,
    );
  const done = 'encrypted with the new DATABASE_KEY now';
  // One that has the new key is left from a change that was broken off.
  const others = listFiles(settings, path).filter(
    (file) => file === path || isEncrypted(file) !== true || !opensWith(file, key),
  );
  return move(settings, others, { from: previous, to: key, done }, options);
};

const decrypt = async (options: JsonOption): Promise<void> => {
  const settings = parseNodeSettings(process.env);
  const path = parseTarget(settings);
  if (isEncrypted(path) !== true) throw new Error(`${path} is not encrypted.`);
  if (settings.DATABASE_KEY === undefined)
    throw new Error(`DATABASE_KEY is not set: it is what ${path} is encrypted with.`);
  const done = 'a plain file now (unset DATABASE_KEY)';
  const encrypted = listFiles(settings, path).filter((file) => isEncrypted(file) === true);
  await move(settings, encrypted, { from: settings.DATABASE_KEY, to: undefined, done }, options);
};

const help = `
Stop the service first. A copy is made beside the database, checked and counted, and takes its place in one step: ended
before that, nothing has changed. It needs room for a second file of that size. The file of before is removed; a disk
may keep traces of it.`;

/** `encrypt` and `decrypt`: move the embedded database between a plain file and an encrypted one. */
export const addEncrypt = (program: Command): void => {
  const encrypting = program
    .command('encrypt')
    .summary('encrypt the embedded database with DATABASE_KEY')
    .description(
      'Encrypts the embedded database of DATABASE_URL with DATABASE_KEY; with DATABASE_KEY_PREVIOUS it changes the key.',
    )
    .addHelpText('after', help)
    .action(encrypt);
  const decrypting = program
    .command('decrypt')
    .summary('turn an encrypted database into a plain file')
    .description(
      'Turns the embedded database of DATABASE_URL, encrypted with DATABASE_KEY, into a plain file.',
    )
    .addHelpText('after', help)
    .action(decrypt);
  const exitCodes = '0 done, 1 refused, and nothing was changed';
  documented(encrypting, { examples: ['encrypt', 'encrypt --json'], exitCodes });
  documented(decrypting, { examples: ['decrypt'], exitCodes });
};
