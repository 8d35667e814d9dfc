import type { Page } from 'playwright-core';

/**
 * How long people take by hand, in seconds, after the keystroke-level model (Card, Moran and Newell, 1980): a decision before
 * each act, a hand that points, presses and goes to the keyboard and back, and the keys of somebody who types slowly.
 */
const secondsOf = { decide: 1.35, point: 1.1, press: 0.2, changeHands: 0.8, key: 0.5 };
/** Words that are read in a minute, each of a page. */
const wordsAMinute = 200;

/** What somebody did on some pages, counted by their events, and how long it would take by hand. */
export const countByHand = () => {
  const done = { presses: 0, fields: 0, characters: 0, words: 0 };
  return {
    /** Before the page is opened. */
    watch: async (page: Page): Promise<void> => {
      await page.exposeFunction('countByHand', (characters: number | null) => {
        if (characters === null) done.presses += 1;
        else {
          done.fields += 1;
          done.characters += characters;
        }
      });
      await page.addInitScript(`
        const choices = 'select, [type=radio], [type=checkbox]';
        addEventListener('click', ({ target }) => {
          if (target.closest('a, button, summary')) countByHand(null);
        }, true);
        addEventListener('change', ({ target }) => {
          countByHand(target.matches(choices) ? null : target.value.length);
        }, true);`);
    },
    /** What stands on the page is read, from its first to its last word. */
    read: async (page: Page): Promise<void> => {
      const text = await page.getByRole('main').innerText();
      done.words += text.split(/\s+/).length;
    },
    sum: () => {
      const { decide, point, press, changeHands, key } = secondsOf;
      const acts = (done.presses + done.fields) * (decide + point + press);
      const typing = done.fields * changeHands + done.characters * key;
      return { ...done, minutes: (acts + typing) / 60 + done.words / wordsAMinute };
    },
  };
};
