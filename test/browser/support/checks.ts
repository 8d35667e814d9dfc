import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import type { Watched } from './stage.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResults {
  violations: { id: string; help: string; nodes: { target: string[]; failureSummary: string }[] }[];
}

/** Asks axe; fails with what it found. It is evaluated and no script tag, which the policy would refuse. */
export const assertAccessible = async (page: Page, where: string): Promise<void> => {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axeSource);
  const options = JSON.stringify({ runOnly: { type: 'tag', values: tags }, resultTypes: ['violations'] });
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults;
  const said = violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ target, failureSummary }) => `  ${target.join(' ')}: ${failureSummary}`).join('\n')}`,
  );
  assert.deepEqual(said, [], `axe, ${where}`);
};

/**
 * Waits until a condition is true on the page. It polls from here: the page's policy forbids polling inside the page.
 */
export const untilHolds = async (page: Page, expression: string, withinMs = 5_000): Promise<void> => {
  const deadline = Date.now() + withinMs;
  while (!(await page.evaluate(expression))) {
    if (Date.now() > deadline) assert.fail(`It never held: ${expression}`);
    await page.waitForTimeout(50);
  }
};

/** Waits until the element with this name has the focus: it moves a moment after the render. */
export const untilFocused = (page: Page, name: string): Promise<void> => {
  const own = `[document.activeElement?.getAttribute('aria-label'), document.activeElement?.innerText]`;
  return untilHolds(page, `${own}.includes(${JSON.stringify(name)})`);
};

export interface Stop {
  name: string;
  tag: string;
  visible: boolean;
  covered: boolean;
  ring: boolean;
}

// The focused element: its name, whether it is visible, whether something covers it, whether a ring is drawn.
const focused = `(() => {
  const e = document.activeElement;
  if (!e || e === document.body) return null;
  const box = e.getBoundingClientRect();
  // The middle of what lies inside the window.
  const x = (Math.max(box.left, 0) + Math.min(box.right, innerWidth)) / 2, y = (Math.max(box.top, 0) + Math.min(box.bottom, innerHeight)) / 2;
  const top = document.elementFromPoint(x, y);
  const ringed = (one) => { const s = one && getComputedStyle(one); return !!s && s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2; };
  const name = (e.getAttribute('aria-label') || e.labels?.[0]?.innerText || e.innerText || e.title || '').trim().replace(/\\s+/g, ' ');
  return {
    name, tag: e.tagName.toLowerCase(),
    visible: box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth,
    covered: !(top && (e === top || e.contains(top) || top.contains(e) || (e.labels && [...e.labels].some((l) => l.contains(top))))),
    ring: ringed(e) || [...(e.labels || [])].some((l) => ringed(l) || [...l.children].some(ringed)),
  };
})()`;

/**
 * Presses Tab until the focus leaves the page: each stop is visible, uncovered, ringed and named. Returns the names.
 */
export const walk = async (page: Page, where: string, most = 120): Promise<string[]> => {
  await page.evaluate('document.activeElement?.blur?.(); window.getSelection()?.removeAllRanges()');
  const names: string[] = [];
  for (let nth = 0; nth < most; nth++) {
    await page.keyboard.press('Tab');
    const stop = (await page.evaluate(focused)) as Stop | null;
    if (stop === null) break;
    const at = `${where}, stop ${nth + 1}: ${stop.tag} "${stop.name}"`;
    assert.ok(stop.name !== '', `${at} has no name`);
    assert.ok(stop.visible, `${at} is not visible`);
    assert.ok(!stop.covered, `${at} is covered`);
    assert.ok(stop.ring, `${at} has no ring`);
    names.push(stop.name);
  }
  return names;
};

/** Nothing scrolls sideways, and no text is cut, on the page at present. */
export const assertReflows = async (page: Page, where: string): Promise<void> => {
  const found = (await page.evaluate(`(() => {
    const root = document.documentElement;
    const over = [...document.querySelectorAll('body *')].filter((e) => e.getBoundingClientRect().right > root.clientWidth + 1 && !e.classList.contains('aloud'));
    const named = over.slice(-3).map((e) => e.tagName + ' ' + (e.innerText || '').slice(0, 30));
    const wide = root.scrollWidth > root.clientWidth + 1 ? ['the page is ' + root.scrollWidth + ' wide, not ' + root.clientWidth, ...named] : [];
    const cut = [...document.querySelectorAll('body *')].filter((e) => {
      const s = getComputedStyle(e);
      const clips = s.overflowX === 'hidden' || s.overflowX === 'clip';
      return clips && e.tagName !== 'INPUT' && !e.classList.contains('aloud') && e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 1;
    }).map((e) => 'cut: ' + (e.innerText || e.tagName).slice(0, 40));
    return [...wide, ...cut];
  })()`)) as string[];
  assert.deepEqual(found, [], `reflow, ${where}`);
};

/** At 320 px, with text twice as large, and with the spacing of WCAG 1.4.12; the page is left as it was. */
export const assertReflowsWhenLarge = async (page: Page, where: string): Promise<void> => {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 640 });
  await assertReflows(page, `${where}, 320 px`);
  if (before !== null) await page.setViewportSize(before);
  await page.evaluate(`document.documentElement.style.fontSize = '200%'`);
  await assertReflows(page, `${where}, 200 %`);
  await page.evaluate(`(() => {
    const s = document.documentElement.style;
    s.fontSize = ''; s.letterSpacing = '0.12em'; s.wordSpacing = '0.16em'; s.lineHeight = '1.5';
  })()`);
  await assertReflows(page, `${where}, text spacing`);
  await page.evaluate(`document.documentElement.removeAttribute('style')`);
};

/** A desk's window of 1280 by 1024 with everything four times as large: nothing scrolls sideways, the focus is never covered. */
export const assertZooms = async (page: Page, where: string): Promise<void> => {
  const before = page.viewportSize();
  await page.setViewportSize({ width: 320, height: 256 });
  await assertReflows(page, `${where}, 400 %`);
  await walk(page, `${where}, 400 %`);
  if (before !== null) await page.setViewportSize(before);
};

/** Under `reducedMotion: 'reduce'` nothing moves. */
export const assertStill = async (page: Page, where: string): Promise<void> =>
  assert.equal(await page.evaluate('document.getAnimations().length'), 0, `motion, ${where}`);

/**
 * Visible content stayed in its place while the rest loaded: the layout shift of web.dev, without presses, at `most`.
 */
export const assertStaysInPlace = async (page: Page, where: string, most: number): Promise<void> => {
  const moves = (await page.evaluate(`new Promise((give) => {
    const named = ({ node }) => (node?.innerText ?? node?.textContent ?? node?.nodeName ?? '?').slice(0, 40);
    const moves = [];
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries())
        if (!hadRecentInput) moves.push([value, sources.map(named).join(' | ')]);
    }).observe({ type: 'layout-shift', buffered: true });
    requestAnimationFrame(() => setTimeout(() => give(moves)));
  })`)) as [number, string][];
  const total = moves.reduce((sum, [value]) => sum + value, 0);
  assert.ok(
    total <= most,
    `${where} moved by ${total.toFixed(3)}: ${moves.map(([, what]) => what).join('; ')}`,
  );
};

/** The console said nothing but `expected`, one origin was asked, and no token lies where a script could read it. */
export const assertClean = async (
  { page, complaints, origins }: Watched,
  url: string,
  expected: readonly RegExp[] = [],
): Promise<void> => {
  const known = [...expected, /^Service Worker registration blocked by Playwright$/];
  const surprises = complaints.filter((text) => !known.some((form) => form.test(text)));
  assert.deepEqual(surprises, [], 'the console');
  assert.deepEqual([...origins], [new URL(url).origin], 'the origins that were asked');
  const stored = await page.evaluate(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
  );
  assert.doesNotMatch(stored as string, /eyJ|[\w-]{40,}/, 'a token was stored');
};

/** Chromium's own line about an answer that a flow is meant to meet, such as a 409. */
export const failedWith = (...statuses: number[]): RegExp =>
  new RegExp(`^Failed to load resource: the server responded with a status of (${statuses.join('|')}) `);
