import type { Made } from '../backup/backup.ts';
import type { Progress } from '../backup/live-copy.ts';

/** Results go to standard output, progress messages to standard error. */
export const tell = (line: string): void => void process.stdout.write(`${line}\n`);
export const note: Progress = (line) => void process.stderr.write(`${line}\n`);

/** The exit code if the copy was made, but its data breaks an invariant. */
const madeOfUnsoundData = 2;

export const tellMade = (file: string, { summary, problems }: Made): void => {
  tell(`${file}: ${summary}`);
  note(
    'Keep DATA_KEY with it, elsewhere: numbers and secrets in it are sealed with it. DATABASE_KEY and the identity of BACKUP_RECIPIENT likewise, where they are set.',
  );
  if (problems.length === 0) return;
  process.exitCode = madeOfUnsoundData;
  note(`The data itself is not sound, and restore will refuse it:\n${problems.join('\n')}`);
};
