import type { Context } from 'hono';
import type { Deps } from '../../deps.ts';
import { Failure } from '../../endpoint/errors.ts';
import type { AppEnv } from '../context.ts';
import type { Serve } from '../observed.ts';
import { answerFile } from './file-answer.ts';
import { hashedForever, kioskHeaders, pageHeaders } from './page-headers.ts';

/** The addresses of the programs for people, and the program that each opens: a clinic begins in the console. */
export const clinicApps = {
  pasien: 'pasien',
  konsol: 'konsol',
  layar: 'layar',
  kios: 'kios',
  mulai: 'konsol',
};

/**
 * Serves the pages as they were built: a path below an app whose last part has no dot is an address within it and answers
 * its page; any other names a file. Workers serve `/assets/` by themselves.
 */
export const mountPages = (
  serve: Serve,
  publicFileOf: (c: Context<AppEnv>) => Deps['publicFile'],
  apps: Readonly<Record<string, string>> = clinicApps,
): void => {
  const answer = async (c: Context<AppEnv>, path: string, headers = pageHeaders): Promise<Response> => {
    const file = await publicFileOf(c)?.(path, c.req.header('Accept-Encoding') ?? '');
    return answerFile(c, file, headers);
  };
  for (const [at, app] of Object.entries(apps)) {
    const index = `/${app}/index.html`;
    serve('GET', `/${at}/*`, (c) => {
      const { path } = c.req;
      // Built files below this path were looked up before.
      if (path.startsWith(`/${at}/api/`)) throw new Failure('not_found');
      if (path === `/${at}`) return c.body(null, 302, { ...pageHeaders, Location: `/${at}/` });
      return answer(c, /\.[^/]*$/.test(path) ? path : index, app === 'kios' ? kioskHeaders : pageHeaders);
    });
  }
  serve('GET', '/assets/*', (c) => answer(c, c.req.path, { ...pageHeaders, 'Cache-Control': hashedForever }));
};
