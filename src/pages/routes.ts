import type { Context } from 'hono';
import type { Deps } from '../deps.ts';
import type { AppEnv } from '../http/context.ts';
import type { Serve } from '../http/observed.ts';
import { answerFile } from '../http/pages/file-answer.ts';
import { hashedForever, pageHeaders } from '../http/pages/page-headers.ts';

/** The programs for people, each under an address of its own. */
const apps = ['pasien', 'konsol', 'layar'];

/**
 * Serves the pages as they were built: a path below an app whose last part has no dot is an address within it and answers
 * its page; any other names a file. Workers serve `/assets/` by themselves.
 */
export const mountPages = (serve: Serve, deps: Deps): void => {
  const answer = async (c: Context<AppEnv>, path: string, headers = pageHeaders): Promise<Response> => {
    const file = await deps.publicFile?.(path, c.req.header('Accept-Encoding') ?? '');
    return answerFile(c, file, headers);
  };
  for (const app of apps) {
    const index = `/${app}/index.html`;
    serve('GET', `/${app}/*`, (c) => {
      const { path } = c.req;
      if (path === `/${app}`) return c.body(null, 302, { ...pageHeaders, Location: `/${app}/` });
      return answer(c, /\.[^/]*$/.test(path) ? path : index);
    });
  }
  serve('GET', '/assets/*', (c) => answer(c, c.req.path, { ...pageHeaders, 'Cache-Control': hashedForever }));
};
