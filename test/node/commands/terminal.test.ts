import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { typedTwice } from '../../../src/runtime/node/commands/terminal.ts';

/** Somebody who types each answer when asked for it, and what they were shown. */
const typing = async (...answers: string[]) => {
  const input = new PassThrough();
  let shown = '';
  const typed = typedTwice(input, (words) => {
    shown += words;
    const answer = words.endsWith(': ') ? answers.shift() : undefined;
    if (answer !== undefined) setImmediate(() => input.write(`${answer}\r`));
  });
  const outcome = await typed.catch((error: Error) => error.message);
  return { outcome, shown };
};

it('a password is typed twice, and is not shown', async () => {
  const { outcome, shown } = await typing('kata-sandi-uji-17', 'kata-sandi-uji-17');
  expect([outcome, shown]).toEqual(['kata-sandi-uji-17', 'Password: \nOnce more: \n']);
});

it('a slip of the finger is noticed before anything is written', async () => {
  const { outcome, shown } = await typing('kata-sandi-uji-17', 'kata-sandi-uji-71');
  expect(outcome).toContain('two different passwords');
  expect(shown).not.toContain('sandi');
});

it('a password may be pasted twice at once', async () => {
  const { outcome } = await typing('kata-sandi-uji-17\rkata-sandi-uji-17');
  expect(outcome).toBe('kata-sandi-uji-17');
});

it.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s at a password leaves without one', async (_name, key) => {
  const input = new PassThrough();
  const typed = typedTwice(input, () => {});
  input.write(key);
  await expect(typed).rejects.toThrow('Nothing was written.');
});
