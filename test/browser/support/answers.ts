import type { Page, Route } from 'playwright-core';

/** Answers for the service with a failure that a page has to show. */
export const refuse = async (
  page: Page,
  address: string | RegExp,
  status: number,
  code: string,
  { message = 'Sedang diperbaiki.', headers = {} as Record<string, string>, method = '', extras = {} } = {},
): Promise<() => Promise<void>> => {
  const answer = (route: Route) =>
    method !== '' && route.request().method() !== method
      ? route.fallback()
      : route.fulfill({
          status,
          headers,
          json: { status: 'error', code, message, request_id: 'r-1', ...extras },
        });
  await page.route(address, answer);
  return () => page.unroute(address, answer);
};

/** Lets the service never answer. */
export const keepWaiting = async (page: Page, address: string | RegExp): Promise<() => Promise<void>> => {
  const wait = (): void => {};
  await page.route(address, wait);
  return () => page.unroute(address, wait);
};

/** Delays the answers of these requests; the returned function releases them. */
export const holdBack = async (page: Page, address: string): Promise<() => void> => {
  let letCome = (): void => {};
  const come = new Promise<void>((resolve) => {
    letCome = resolve;
  });
  await page.route(address, async (route) => {
    await come;
    await route.continue();
  });
  return letCome;
};

/**
 * Loses the first answer of these requests: the service has done the work, and the page never gets the answer. Returns
 * the idempotency keys of all requests.
 */
export const loseFirstAnswer = async (page: Page, address: string | RegExp): Promise<string[]> => {
  const keys: string[] = [];
  await page.route(address, async (route) => {
    keys.push(route.request().headers()['idempotency-key'] ?? '');
    if (keys.length > 1) return route.continue();
    // Without it the scenario finds that nothing was done, which is more useful than a run that ends here.
    await route.fetch().catch(() => {});
    return route.abort('connectionreset');
  });
  return keys;
};

/** From now on every answer says that it is so much later: the pages go by the clock of the service. */
export const letTimePass = (page: Page, ms: number): Promise<unknown> =>
  page.route('**/v1/**', async (route) => {
    const response = await route.fetch();
    const date = new Date(Date.now() + ms).toUTCString();
    await route.fulfill({ response, headers: { ...response.headers(), date } });
  });
