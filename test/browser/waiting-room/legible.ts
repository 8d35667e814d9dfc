import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** The minimum text sizes, in hundredths of the screen's height: docs/screens.md. */
const least: Readonly<Record<string, number>> = {
  '.latest .number': 24,
  '.latest .go': 4,
  '.latest .room': 9,
  '.latest .doctor': 5,
  '.row .now': 9,
  '.row .next .label': 6,
};
const leastOfAll = 4;

interface Measured {
  sizes: { text: string; size: number; in: string }[];
  cut: string[];
}

// Every text that is seen: its size as drawn, and whether it or what holds it is cut or lies outside.
const measure = `(() => {
  const cut = [], sizes = [], selectors = ${JSON.stringify(Object.keys(least))};
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const boxOf = (node) => { const range = document.createRange(); range.selectNodeContents(node); return range.getBoundingClientRect(); };
  while (walker.nextNode()) {
    const node = walker.currentNode, text = node.data.trim(), e = node.parentElement;
    const own = getComputedStyle(e);
    if (text === '' || e.closest('.aloud, script') || own.opacity === '0' || own.display === 'none') continue;
    const box = boxOf(node);
    if (box.width === 0) continue;
    sizes.push({ text, size: parseFloat(own.fontSize) / innerHeight * 100, in: selectors.find((one) => e.closest(one)) || '' });
    if (box.left < 0 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1) cut.push('outside: ' + text);
    for (let holder = e; holder && holder !== document.body; holder = holder.parentElement) {
      const style = getComputedStyle(holder), own = holder.getBoundingClientRect();
      if (style.overflowX !== 'visible' && style.textOverflow !== 'ellipsis' && box.right > own.right + 1) cut.push('cut: ' + text);
      if (style.overflowY !== 'visible' && box.top + box.height * 0.8 > own.bottom + 1) cut.push('cut below: ' + text);
    }
  }
  const boxes = [...document.querySelectorAll('.latest > *, .still > *, .row .place, .row .next, .row .now, .row .late, footer > p, .aside > p')]
    .filter((e) => e.getClientRects().length > 0).map((e) => [e, e.getBoundingClientRect()]);
  for (const [a, x] of boxes) {
    const row = a.closest('.row, .latest, .still, .aside, footer').getBoundingClientRect();
    if (x.top < row.top - 2 || x.bottom > row.bottom + 2) cut.push('beyond its box: ' + a.innerText);
    for (const [b, y] of boxes)
      if (a !== b && x.left + 2 < y.right && y.left + 2 < x.right && x.top + 4 < y.bottom && y.top + 4 < x.bottom && x.top <= y.top)
        cut.push('overlap: ' + a.innerText + ' / ' + b.innerText);
  }
  return { sizes, cut };
})()`;

/** The sizes of the table hold, nothing is smaller than 4 vh, nothing is cut, and nothing overlaps. */
export const assertLegible = async (page: Page, state: string, where: string): Promise<void> => {
  const { sizes, cut } = (await page.evaluate(measure)) as Measured;
  const small = sizes.filter(({ size, in: place }) => size < (least[place] ?? leastOfAll) - 0.05);
  const said = small.map(({ text, size }) => `${text}: ${size.toFixed(1)} vh`);
  assert.deepEqual([...said, ...cut], [], `legible, ${where}`);
  assert.ok(state !== 'quiet' || sizes.some(({ in: place }) => place === '.latest .number'), where);
};
