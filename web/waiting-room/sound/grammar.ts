// Pure: a label and a room in spoken Indonesian, in words that are recorded one by one.

/** A recorded word, or a silence in milliseconds. */
export type Sound = string | number;

const units = 'nol satu dua tiga empat lima enam tujuh delapan sembilan'.split(' ');
const unit = (digit: number): string => units[digit] ?? 'nol';

const betweenLetters = 60;
const beforeNumber = 120;
const betweenSentences = 450;

const underHundred = (number: number): string[] => {
  if (number < 10) return [unit(number)];
  if (number === 10) return ['sepuluh'];
  if (number === 11) return ['sebelas'];
  if (number < 20) return [unit(number - 10), 'belas'];
  const rest = number % 10;
  return [unit(Math.floor(number / 10)), 'puluh', ...(rest === 0 ? [] : [unit(rest)])];
};

/** A whole number from 0 to 999 in words; a larger one digit by digit, as people do. */
export const numberWords = (number: number): string[] => {
  if (number > 999) return [...String(number)].map((digit) => unit(Number(digit)));
  if (number < 100) return underHundred(number);
  const hundreds = number < 200 ? ['seratus'] : [unit(Math.floor(number / 100)), 'ratus'];
  const rest = number % 100;
  return [...hundreds, ...(rest === 0 ? [] : underHundred(rest))];
};

/** "B-12": the letters one by one, then the number. Leading zeros are not said. */
export const labelSounds = (label: string): Sound[] => {
  const sounds: Sound[] = [];
  for (const part of label.toLowerCase().match(/[a-z]|\d+/g) ?? []) {
    const isNumber = /\d/.test(part);
    if (sounds.length > 0) sounds.push(isNumber ? beforeNumber : betweenLetters);
    sounds.push(...(isNumber ? numberWords(Number(part)) : [part]));
  }
  return sounds;
};

const abbreviations: Readonly<Record<string, string>> = {
  r: 'ruang',
  rg: 'ruang',
  ruangan: 'ruang',
  lt: 'lantai',
};

/** "Ruang 3", "Poli Gigi 2" in recorded words; null if one of them is not recorded. */
export const roomWords = (room: string, known: (word: string) => boolean): string[] | null => {
  const parts = room.toLowerCase().match(/\p{L}+|\d+/gu) ?? [];
  const words = parts.flatMap((part, nth) => {
    if (/\d/.test(part)) return numberWords(Number(part));
    // A single letter at the beginning abbreviates a word; at the end, it names the room.
    return [(nth === 0 ? abbreviations[part] : undefined) ?? part];
  });
  return words.length > 0 && words.every(known) ? words : null;
};

/** "Nomor antrean, B, dua belas. Silakan menuju Ruang tiga." */
export const callSounds = (
  { label, room }: { label: string; room: string },
  known: (word: string) => boolean,
): Sound[] => {
  const place = roomWords(room, known);
  const whereTo = place === null ? ['silakan-lihat-layar'] : ['silakan-menuju', 60, ...place];
  return ['nomor-antrean', 180, ...labelSounds(label), betweenSentences, ...whereTo];
};

/** The same as a sentence, for a voice of the device. */
export const callSentence = ({ label, room }: { label: string; room: string }): string => {
  const spoken = labelSounds(label)
    .filter((sound): sound is string => typeof sound === 'string')
    .join(' ');
  return `Nomor antrean, ${spoken}. Silakan ${room === '' ? 'melihat layar' : `menuju ${room}`}.`;
};
