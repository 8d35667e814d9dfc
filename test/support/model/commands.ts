import fc from 'fast-check';
import { act, book, edit, look, step } from './booking-commands.ts';
import { approve, close, expire, lay, merge, open, wait } from './clinic-commands.ts';

/** Random commands of random actors, at most `size`. */
export const commandsOf = (size: number) =>
  fc.commands(
    [
      book,
      book,
      book,
      step,
      step,
      step,
      step,
      step,
      act,
      act,
      look,
      edit,
      approve,
      lay,
      close,
      open,
      wait,
      wait,
      expire,
      merge,
    ],
    {
      maxCommands: size,
      size: 'max',
    },
  );
