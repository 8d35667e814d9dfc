import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** A password typed twice without being shown, because a typing error would lock its owner out. */
export const typedTwice = async (
  input: NodeJS.ReadableStream,
  say: (text: string) => void,
): Promise<string> => {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: silent, terminal: true });
  try {
    say('Password: ');
    const typed = await terminal.question('');
    say('\nOnce more: ');
    if ((await terminal.question('')) !== typed) throw new Error('\nThese are two different passwords.');
    say('\n');
    return typed;
  } finally {
    terminal.close();
  }
};

/** A password from the environment, from a pipe, or typed without being shown; never from an argument. */
export const askPassword = async (variable: string): Promise<string> => {
  const given = process.env[variable];
  if (given !== undefined && given !== '') return given;
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, '');
  return typedTwice(process.stdin, (words) => void process.stderr.write(words));
};
