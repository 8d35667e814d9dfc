import type { Context } from 'hono';
import { type AppEnv, depsOf } from '../../core/http/context.ts';
import type { Serve } from '../../core/http/observed.ts';
import { answerFile } from '../../core/http/pages/file-answer.ts';
import { referenceHeaders } from '../../core/http/pages/page-headers.ts';
import { datedDocument, type ReadFile } from './dated-document.ts';

const readPublic: ReadFile = async ({ publicFile }, path, acceptEncoding) =>
  (await publicFile?.(path, acceptEncoding)) ?? null;

/** Serves the OpenAPI documents and the page that shows them, from the service's own files only. */
export const mountReference = (serve: Serve): void => {
  const answer = async (c: Context<AppEnv>, path: string, fileOf = readPublic): Promise<Response> =>
    answerFile(c, await fileOf(depsOf(c), path, c.req.header('Accept-Encoding') ?? ''), referenceHeaders);
  for (const path of ['/openapi.json', '/openapi-webhooks.json']) {
    const readDocument = datedDocument();
    serve('GET', path, (c) => answer(c, path, readDocument));
  }
  serve('GET', '/docs', (c) => answer(c, '/docs/index.html'));
  serve('GET', '/docs/', (c) => answer(c, '/docs/index.html'));
  serve('GET', '/docs/:file', (c) => answer(c, `/docs/${c.req.param('file')}`));
};
