import type { Page } from 'playwright-core';

/** The call that was shown as spoken, and how many recorded words were played. */
export interface Heard {
  calls: string[];
  words: number;
}

/** Listens before the page begins: to what it says it is saying, and to each recorded word that is started. */
export const listen = async (page: Page): Promise<void> => {
  await page.addInitScript(`(() => {
    const heard = (window.heard = { calls: [], words: 0 });
    const start = AudioBufferSourceNode.prototype.start;
    AudioBufferSourceNode.prototype.start = function (...at) { heard.words += 1; return start.apply(this, at); };
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const said = target instanceof Element && target.getAttribute('data-saying');
        if (said) heard.calls.push(said);
      }
    }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-saying'] });
  })()`);
};

export const heardBy = async (page: Page): Promise<Heard> => (await page.evaluate('window.heard')) as Heard;
