import type { Context } from 'hono';
import type { Deps } from '../../core/deps.ts';
import type { AppEnv } from '../../core/http/context.ts';
import type { Serve } from '../../core/http/observed.ts';
import { answerFile } from '../../core/http/pages/file-answer.ts';
import { referenceHeaders } from '../../core/http/pages/page-headers.ts';
import { datedDocument, type ReadFile } from './dated-document.ts';

/** Serves the OpenAPI documents and the page that shows them, from the service's own files only. */
export const mountReference = (serve: Serve, deps: Deps): void => {
  const read: ReadFile = async (path, acceptEncoding) =>
    (await deps.publicFile?.(path, acceptEncoding)) ?? null;
  const answer = async (c: Context<AppEnv>, path: string, fileOf = read): Promise<Response> =>
    answerFile(c, await fileOf(path, c.req.header('Accept-Encoding') ?? ''), referenceHeaders);
  for (const path of ['/openapi.json', '/openapi-webhooks.json']) {
    const readDocument = datedDocument(deps);
    serve('GET', path, (c) => answer(c, path, readDocument));
  }
  serve('GET', '/docs', (c) => answer(c, '/docs/index.html'));
  serve('GET', '/docs/', (c) => answer(c, '/docs/index.html'));
  serve('GET', '/docs/:file', (c) => answer(c, `/docs/${c.req.param('file')}`));
};
