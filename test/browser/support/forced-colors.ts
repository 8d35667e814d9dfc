import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

// Marks every box that shows its state by colour alone: painted, without text, picture or border of its own.
const markPainted = `(() => {
  const seen = (e) => { const box = e.getBoundingClientRect(); return box.width >= 2 && box.height >= 2; };
  const bare = (e) => e.textContent.trim() === '' && !e.querySelector('svg, img, canvas, input') && !e.matches('svg, svg *, img, input, select, textarea, canvas, html, body');
  let nth = 0;
  for (const e of document.querySelectorAll('body *')) {
    const style = getComputedStyle(e);
    const painted = style.backgroundColor !== 'rgba(0, 0, 0, 0)' && style.visibility === 'visible' && style.opacity !== '0';
    if (painted && seen(e) && bare(e)) e.dataset.painted = String(nth++);
  }
  return nth;
})()`;

const lost = `(() => {
  const looks = (e) => {
    const s = getComputedStyle(e);
    const sides = ['Top', 'Right', 'Bottom', 'Left'].map((side) => s['border' + side + 'Style'] === 'none' ? 'none' : s['border' + side + 'Width'] + s['border' + side + 'Style'] + s['border' + side + 'Color']);
    const outline = s.outlineStyle === 'none' ? 'none' : s.outlineWidth + s.outlineStyle + s.outlineColor;
    return [s.backgroundColor, s.color, ...sides, outline, s.textDecorationLine].join(' ');
  };
  const behind = (e) => {
    for (let one = e.parentElement; one; one = one.parentElement) {
      const { backgroundColor } = getComputedStyle(one);
      if (backgroundColor !== 'rgba(0, 0, 0, 0)') return backgroundColor;
    }
    return getComputedStyle(document.documentElement).backgroundColor;
  };
  const said = (e) => (e.getAttribute('aria-label') || e.innerText || e.className || e.tagName).trim().replace(/\\s+/g, ' ').slice(0, 40);
  const complaints = [];
  for (const e of document.querySelectorAll('[data-painted]')) {
    const s = getComputedStyle(e);
    const bordered = ['Top', 'Right', 'Bottom', 'Left'].some((side) => s['border' + side + 'Style'] !== 'none' && parseFloat(s['border' + side + 'Width']) > 0);
    if (!bordered && (s.backgroundColor === 'rgba(0, 0, 0, 0)' || s.backgroundColor === behind(e))) complaints.push('not seen: ' + e.className);
    delete e.dataset.painted;
  }
  // An element that shows its state: it looks different from another of its kind without this state.
  const first = (e) => '.' + CSS.escape(e.classList[0] || 'none');
  const pairs = [];
  const add = (state, other) => {
    for (const e of document.querySelectorAll(state)) {
      if (e.classList.length === 0) continue;
      const peer = document.querySelector(first(e) + other);
      if (peer) pairs.push([e, e, peer]);
    }
  };
  add('[aria-current]:not([aria-current="false"])', ':not([aria-current])');
  add('[aria-pressed="true"]', '[aria-pressed="false"]');
  add('[aria-disabled="true"]', ':not([aria-disabled])');
  // The browser's own circle and box are seen; what replaces them must be.
  for (const e of document.querySelectorAll('input:checked')) {
    const s = getComputedStyle(e);
    if (s.opacity !== '0' && s.appearance !== 'none') continue;
    const subject = (input) => s.opacity === '0' && input.nextElementSibling || input.closest('label');
    const peer = [...document.querySelectorAll('input[type=' + e.type + ']')].find((one) => !one.checked && one.name === e.name);
    if (peer) pairs.push([e, subject(e), subject(peer)]);
  }
  for (const [e, subject, peer] of pairs)
    if (looks(subject) === looks(peer)) complaints.push('looks like any other: ' + said(subject));
  return { complaints, pairs: pairs.length };
})()`;

interface Forced {
  painted: number;
  pairs: number;
}

/** With forced colours no information is lost; returns how many elements were checked. */
export const assertKeepsMeaning = async (page: Page, where: string): Promise<Forced> => {
  const painted = (await page.evaluate(markPainted)) as number;
  await page.emulateMedia({ forcedColors: 'active' });
  const { complaints, pairs } = (await page.evaluate(lost)) as { complaints: string[]; pairs: number };
  await page.emulateMedia({ forcedColors: null });
  assert.deepEqual(complaints, [], `forced colours, ${where}`);
  return { painted, pairs };
};
