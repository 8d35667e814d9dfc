import { createInterface, type ReadLineOptions } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { Progress } from '../backup/live-copy.ts';
import { explainError } from '../reason.ts';

/** Results go to standard output, progress messages to standard error. */
export const tell = (line: string): void => void process.stdout.write(`${line}\n`);
export const note: Progress = (line) => void process.stderr.write(`${line}\n`);

let outlives = false;

/**
 * A reader that ends early, as `head` and `grep -q` do, ends no command: the rest is not said. Output that cannot be
 * written for another reason, such as a full disk, is a failure.
 */
export const outliveReaders = (): void => {
  if (outlives) return;
  outlives = true;
  const fail = (error: NodeJS.ErrnoException): void => {
    if (error.code === 'EPIPE') return;
    process.exitCode = 1;
    note(explainError(error));
  };
  process.stdout.on('error', fail);
  process.stderr.on('error', () => {});
};

/** The person left by Ctrl-C or Ctrl-D instead of answering. */
export class LeftPrompt extends Error {}

/**
 * Asks a person line by line. Lines that were pasted before their question answer it, where `question` of readline drops
 * them.
 */
export const openPrompt = (options: ReadLineOptions) => {
  const terminal = createInterface(options);
  const lines = terminal[Symbol.asyncIterator]();
  let isClosed = false;
  terminal.once('close', () => {
    isClosed = true;
  });
  return {
    ask: async (text: string): Promise<string> => {
      terminal.setPrompt(text);
      if (!isClosed) terminal.prompt();
      const { done, value } = await lines.next();
      if (done) throw new LeftPrompt('\nNothing was written.');
      return value;
    },
    close: () => terminal.close(),
  };
};

/** A password typed twice without being shown, because a typing error would lock its owner out. */
export const typedTwice = async (
  input: NodeJS.ReadableStream,
  say: (text: string) => void,
): Promise<string> => {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = openPrompt({ input, output: silent, terminal: true });
  try {
    say('Password: ');
    const typed = await prompt.ask('');
    say('\nOnce more: ');
    if ((await prompt.ask('')) !== typed) throw new Error('\nThese are two different passwords.');
    say('\n');
    return typed;
  } finally {
    prompt.close();
  }
};

/** A password from the environment, from a pipe, or typed without being shown; never from an argument. */
export const askPassword = async (variable: string): Promise<string> => {
  const given = process.env[variable];
  if (given !== undefined && given !== '') return given;
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  return typedTwice(process.stdin, (words) => void process.stderr.write(words));
};
