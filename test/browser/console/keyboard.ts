import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { untilThere } from './steps.ts';

// The name of the focused element: its label, its text, or the field's label.
const focusedName = `(() => {
  const e = document.activeElement;
  if (!e || e === document.body) return '';
  const text = e.getAttribute('aria-label') || e.labels?.[0]?.firstChild?.textContent || e.innerText || '';
  return text.trim().replace(/\\s+/g, ' ');
})()`;

/** Presses Tab until an element with this name and of this kind has the focus: a link may have the name of a field. */
export const tabTo = async (page: Page, name: string, kind = '*'): Promise<void> => {
  for (let nth = 0; nth < 250; nth++) {
    const isOfKind = await page.evaluate(`document.activeElement?.matches('${kind}')`);
    if (isOfKind && (await page.evaluate(focusedName)) === name) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`The Tab key does not reach "${name}".`);
};

/** Goes to a button or link, and presses it. */
export const press = async (page: Page, name: string): Promise<void> => {
  await tabTo(page, name);
  await page.keyboard.press('Enter');
};

/** Goes to a field, and types over what it holds. */
export const type = async (page: Page, name: string, text: string): Promise<void> => {
  await tabTo(page, name, 'input, textarea');
  await page.keyboard.press('Control+a');
  await page.keyboard.type(text);
};

/** Goes to a list of choices, and chooses by typing the beginning of one. */
export const choose = async (page: Page, name: string, text: string): Promise<void> => {
  await tabTo(page, name, 'select');
  await page.keyboard.type(text);
  const chosen = await page.evaluate(`document.activeElement.selectedOptions[0].label`);
  assert.equal(chosen, text);
};

/** Goes to a field, and puts a value in it, such as a date or an hour. */
export const set = async (page: Page, name: string, value: string): Promise<void> => {
  await tabTo(page, name, 'input');
  await page.locator(':focus').fill(value);
};

/** Answers a question: the harmless answer has the focus, the other one is the next. */
export const confirm = async (page: Page, verb: string): Promise<void> => {
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await untilThere(page, `document.activeElement?.closest('dialog') !== null`);
  assert.equal(await page.evaluate(focusedName), 'Batal');
  await press(page, verb);
  await dialog.waitFor({ state: 'detached' });
};
