import type { Command } from 'commander';
import type { Made } from '../backup/backup.ts';
import { inWords } from '../backup/soundness.ts';
import { note, tell } from './terminal.ts';

/** The options of every command. */
export interface JsonOption {
  json?: boolean;
}

interface Use {
  /** The arguments after the program's name. */
  examples: readonly string[];
  /** Without 1, with which every command ends when it fails, unless the command describes 1 in more detail. */
  exitCodes?: string;
  /** False if there is nothing that a script could read. */
  answers?: false;
  /** False if it is not about the database of one clinic, as those below `clinics` are not. */
  atClinics?: false;
}

const findRoot = (command: Command): Command =>
  command.parent === null ? command : findRoot(command.parent);

const isBelowClinics = ({ parent }: Command): boolean =>
  parent !== null && (parent.name() === 'clinics' || isBelowClinics(parent));

/** Adds exit codes, examples and, if it has a result, `--json` to a command. */
export const documented = (
  command: Command,
  { examples, exitCodes = '0 done, 1 not done, and said why', answers, atClinics }: Use,
): Command => {
  if (answers !== false) command.option('--json', 'answer in JSON, for a script');
  if (answers !== false && atClinics !== false && !isBelowClinics(command))
    command
      .option('--clinic <host-or-id>', 'with CLINICS: at this clinic')
      .option('--all', 'with CLINICS: at each clinic in turn; {clinic} in a path stands for its id');
  return command.addHelpText('after', () => {
    const program = findRoot(command).name();
    const typed = examples.map((example) => `  ${program} ${example}`).join('\n');
    return `\nExit codes: ${exitCodes}.\n\nFor example:\n${typed}`;
  });
};

/** A command that has others below it leads to the help of the first of them. */
export const leadToExamples = (command: Command, typed = command.name()): void => {
  for (const group of command.commands.filter(({ commands }) => commands.length > 0)) {
    const own = `${typed} ${group.name()}`;
    group.addHelpText('after', `\nFor example:\n  ${own} ${group.commands[0]?.name()} --help`);
    leadToExamples(group, own);
  }
};

/** The clinic that an answer is of, while a command is run at one after another. */
let givenClinic: string | null = null;
export const setGivenClinic = (id: string | null): void => {
  givenClinic = id;
};

/** Whether a command is run at one clinic after another. */
export const isAtEach = (): boolean => givenClinic !== null;

/** Answers a script in JSON, one line; or a person in words. */
export const give = ({ json }: JsonOption, data: object, say: () => void): void =>
  json ? tell(JSON.stringify(givenClinic === null ? data : { clinic: givenClinic, ...data })) : say();

/** The exit code if the copy was made, but its data breaks an invariant. */
const madeOfUnsoundData = 2;

/** Answers with a copy that was made. */
export const tellMade = (file: string, { contents, problems }: Made, options: JsonOption): void => {
  give(options, { file, ...contents, problems }, () => tell(`${file}: ${inWords(contents)}`));
  note(
    'Keep DATA_KEY with it, elsewhere: numbers and secrets in it are sealed with it. DATABASE_KEY and the identity of BACKUP_RECIPIENT likewise, where they are set.',
  );
  if (problems.length === 0) return;
  process.exitCode = madeOfUnsoundData;
  note(`The data itself is not sound, and restore will refuse it:\n${problems.join('\n')}`);
};
