import type { Page } from 'playwright-core';

/** A device that the browser simulates, which makes passkeys and says yes to each question. */
export const simulateDevice = async (page: Page): Promise<void> => {
  const devices = await page.context().newCDPSession(page);
  await devices.send('WebAuthn.enable');
  await devices.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
};

/** The service under a name: an address has no passkeys, since browsers want a domain. */
export const named = (url: string): string => url.replace('127.0.0.1', 'localhost');

/** Presses Tab until the focused element has this text or name, and then Enter. */
export const pressByKeyboard = async (page: Page, name: string): Promise<void> => {
  for (let presses = 0; presses < 120; presses++) {
    const now = await page.evaluate(
      `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '').trim()`,
    );
    if (now === name) return page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
  }
  throw new Error(`No key reaches ${name}.`);
};
