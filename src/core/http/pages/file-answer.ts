import type { Context } from 'hono';
import type { PublicFile } from '../../deps.ts';
import { Failure } from '../../endpoint/errors.ts';
import type { AppEnv } from '../context.ts';
import { sameTag } from '../etag.ts';

/** Answers with a file unchanged, or 304 if the client has it; 404 if there is none. */
export const answerFile = (
  c: Context<AppEnv>,
  file: PublicFile | null | undefined,
  given: Readonly<Record<string, string>>,
): Response => {
  if (file === null || file === undefined) throw new Failure('not_found');
  const headers = {
    'Cache-Control': 'public, no-cache',
    ...given,
    'X-Request-Id': c.get('arrival').requestId,
    ETag: file.etag,
    Vary: 'Accept-Encoding',
  };
  if (sameTag(c.req.header('If-None-Match') ?? '', file.etag)) return c.body(null, 304, headers);
  return c.body(file.content, 200, {
    ...headers,
    'Content-Type': file.contentType,
    ...(file.encoding !== undefined && { 'Content-Encoding': file.encoding }),
  });
};
