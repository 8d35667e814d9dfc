import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  callSentence,
  callSounds,
  labelSounds,
  numberWords,
  roomWords,
} from '../../../web/waiting-room/sound/grammar.ts';

const recorded = readdirSync('web/waiting-room/sound/voice-clips').map((name) => name.replace('.mp3', ''));
const known = (word: string) => recorded.includes(word);
const words = (sounds: readonly (string | number)[]) => sounds.filter((sound) => typeof sound === 'string');

/** The inverse: the number that the words mean, by addition. */
const meaningOf = (said: readonly string[]): number => {
  const units = 'nol satu dua tiga empat lima enam tujuh delapan sembilan'.split(' ');
  let total = 0;
  let last = 0;
  for (const word of said) {
    if (word === 'seratus') total += 100;
    else if (word === 'sepuluh') total += 10;
    else if (word === 'sebelas') total += 11;
    else if (word === 'ratus') [total, last] = [total + last * 100, 0];
    else if (word === 'puluh') [total, last] = [total + last * 10, 0];
    else if (word === 'belas') [total, last] = [total + 10 + last, 0];
    else last = units.indexOf(word);
  }
  return total + last;
};

describe('a number', () => {
  it.each([
    [0, 'nol'],
    [7, 'tujuh'],
    [10, 'sepuluh'],
    [11, 'sebelas'],
    [12, 'dua belas'],
    [20, 'dua puluh'],
    [45, 'empat puluh lima'],
    [100, 'seratus'],
    [101, 'seratus satu'],
    [110, 'seratus sepuluh'],
    [111, 'seratus sebelas'],
    [119, 'seratus sembilan belas'],
    [200, 'dua ratus'],
    [999, 'sembilan ratus sembilan puluh sembilan'],
    [1_050, 'satu nol lima nol'],
  ])('%i is said "%s"', (number, said) => {
    expect(numberWords(number).join(' ')).toBe(said);
  });

  it('from 0 to 999 means itself, is said in recorded words, and never as "satu puluh", "satu belas" or "satu ratus"', () => {
    const all = Array.from({ length: 1_000 }, (_, number) => numberWords(number));
    expect(all.map(meaningOf)).toEqual(Array.from({ length: 1_000 }, (_, number) => number));
    expect(all.flat().filter((word) => !known(word))).toEqual([]);
    expect(all.map((said) => said.join(' ')).filter((said) => /satu (puluh|belas|ratus)/.test(said))).toEqual(
      [],
    );
  });
});

describe('a label', () => {
  it('is said letter by letter, then as a number without its zeros', () => {
    expect(words(labelSounds('B-12'))).toEqual(['b', 'dua', 'belas']);
    expect(words(labelSounds('A-07'))).toEqual(['a', 'tujuh']);
    expect(words(labelSounds('UM-105'))).toEqual(['u', 'm', 'seratus', 'lima']);
  });

  it('of any letter is recorded', () => {
    expect([...'abcdefghijklmnopqrstuvwxyz'].filter((letter) => !known(letter))).toEqual([]);
  });
});

describe('a room', () => {
  it.each([
    ['Ruang 3', 'ruang tiga'],
    ['Poli Gigi 2', 'poli gigi dua'],
    ['R. 12', 'ruang dua belas'],
    ['Ruang B', 'ruang b'],
  ])('"%s" is said "%s"', (room, said) => {
    expect(roomWords(room, known)?.join(' ')).toBe(said);
  });

  it('with a word that nobody recorded, or without a name, leads to the screen', () => {
    for (const room of ['Ruang Melati', '']) {
      expect(roomWords(room, known)).toBeNull();
      expect(words(callSounds({ label: 'B-12', room }, known))).toEqual([
        'nomor-antrean',
        'b',
        'dua',
        'belas',
        'silakan-lihat-layar',
      ]);
    }
  });
});

describe('a call', () => {
  it('is said as the brief has it', () => {
    expect(words(callSounds({ label: 'B-12', room: 'Ruang 3' }, known)).join(' ')).toBe(
      'nomor-antrean b dua belas silakan-menuju ruang tiga',
    );
    expect(callSentence({ label: 'B-12', room: 'Ruang 3' })).toBe(
      'Nomor antrean, b dua belas. Silakan menuju Ruang 3.',
    );
  });
});
