import type { Context } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { Deps } from '../deps.ts';
import type { AppEnv } from '../http/context.ts';
import { headersOf } from '../http/headers.ts';
import type { Serve } from '../http/observed.ts';
import { answerFile } from '../http/pages/file-answer.ts';
import { datedDocument, type ReadFile } from './dated-document.ts';

const own = ["'self'"];

const pageHeaders = await headersOf(
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: own,
      styleSrc: own,
      imgSrc: [...own, 'data:'],
      connectSrc: own,
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
    xFrameOptions: 'DENY',
  }),
);

/** Serves the OpenAPI document and the reference that shows it: the service's own files, and nobody else's. */
export const mountReference = (serve: Serve, deps: Deps): void => {
  const read: ReadFile = async (path, acceptEncoding) =>
    (await deps.publicFile?.(path, acceptEncoding)) ?? null;
  const answer = async (c: Context<AppEnv>, path: string, fileOf = read): Promise<Response> =>
    answerFile(c, await fileOf(path, c.req.header('Accept-Encoding') ?? ''), pageHeaders);
  const documentOf = datedDocument(deps);
  serve('GET', '/openapi.json', (c) => answer(c, '/openapi.json', documentOf));
  serve('GET', '/docs', (c) => answer(c, '/docs/index.html'));
  serve('GET', '/docs/', (c) => answer(c, '/docs/index.html'));
  serve('GET', '/docs/:file', (c) => answer(c, `/docs/${c.req.param('file')}`));
};
