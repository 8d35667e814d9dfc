import type { Command } from 'commander';
import { tell } from './terminal.ts';

/** The options of every command. */
export interface JsonOption {
  json?: boolean;
}

interface Use {
  /** The arguments after the program's name. */
  examples: readonly string[];
  /** Without 1, which every command ends with when it could not do its work, unless it says more of it. */
  exitCodes?: string;
  /** False where there is nothing that a script could read. */
  answers?: false;
}

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

/** Gives a command its exit codes, its examples and, where it answers, `--json`. */
export const documented = (
  command: Command,
  { examples, exitCodes = '0 done, 1 not done, and said why', answers }: Use,
): Command => {
  if (answers !== false) command.option('--json', 'answer in JSON, for a script');
  return command.addHelpText('after', () => {
    const program = rootOf(command).name();
    const typed = examples.map((example) => `  ${program} ${example}`).join('\n');
    return `\nExit codes: ${exitCodes}.\n\nFor example:\n${typed}`;
  });
};

/** Answers a script in JSON, one line; or a person in words. */
export const give = ({ json }: JsonOption, data: object, say: () => void): void =>
  json ? tell(JSON.stringify(data)) : say();
