import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { Page } from 'playwright-core';

/** A proxy before the service that can serve a newer version of the pages: other bytes in their service workers. */
export interface Deployment {
  url: string;
  deploy: () => void;
  stop: () => Promise<void>;
}

const textOf = async (incoming: IncomingMessage): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  return Buffer.concat(parts).toString();
};

/** A worker's answer to the question which version it is. */
const tells = (version: number): string =>
  `\naddEventListener('message', ({ data, source }) => data === 'version?' && source.postMessage(${version}));`;

export const deployBefore = async (service: string): Promise<Deployment> => {
  let version = 1;
  const pass = async (asked: IncomingMessage, answer: ServerResponse): Promise<void> => {
    const isWorker = asked.url?.endsWith('/sw.js') === true;
    const { 'if-none-match': _, 'accept-encoding': __, ...plain } = asked.headers;
    const headers = isWorker ? plain : asked.headers;
    const forwarded = request(`${service}${asked.url}`, { method: asked.method, headers }, async (came) => {
      const { 'content-length': length, etag, ...rest } = came.headers;
      if (!isWorker) {
        answer.writeHead(came.statusCode ?? 502, came.headers);
        came.pipe(answer);
        return;
      }
      answer.writeHead(came.statusCode ?? 502, rest);
      answer.end((await textOf(came)) + tells(version));
    });
    forwarded.on('error', () => answer.destroy());
    asked.pipe(forwarded);
  };
  const server = createServer((asked, answer) => void pass(asked, answer));
  await new Promise<void>((listens) => server.listen(0, '127.0.0.1', listens));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    deploy: () => {
      version += 1;
    },
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped());
        server.closeAllConnections();
      }),
  };
};

/** The version of the worker that serves a page; 0 where none does. */
export const versionOf = (page: Page): Promise<number> =>
  page.evaluate(`new Promise((told) => {
    const { serviceWorker } = navigator;
    if (serviceWorker.controller === null) return told(0);
    serviceWorker.addEventListener('message', ({ data }) => told(data), { once: true });
    serviceWorker.controller.postMessage('version?');
  })`);

const mark = 'window.isStillTheSame';

/** Leaves a mark in a page, which goes when the page is loaded again. */
export const markPage = async (page: Page): Promise<void> => {
  await page.evaluate(`${mark} = true`);
};

export const isMarked = (page: Page): Promise<boolean> => page.evaluate(`${mark} === true`);

/** Waits until a marked page was loaded again. */
export const untilLoadedAnew = async (page: Page, withinMs = 20_000): Promise<void> => {
  const deadline = Date.now() + withinMs;
  // While it loads, there is nothing to ask.
  while (await isMarked(page).catch(() => true)) {
    if (Date.now() > deadline) throw new Error('The page was not loaded anew.');
    await new Promise((wake) => setTimeout(wake, 100));
  }
};
