/** "1 line", "2 lines"; of words with another plural, that one. */
export const counted = (count: number, word: string, plural = `${word}s`): string =>
  `${count} ${count === 1 ? word : plural}`;
