import { run } from '../../../core/db/db.ts';
import { depsOf } from '../../../core/http/context.ts';
import type { Serve } from '../../../core/http/observed.ts';
import { answerFile } from '../../../core/http/pages/file-answer.ts';
import { hashedForever, pageHeaders } from '../../../core/http/pages/page-headers.ts';
import { findLogo } from './queries.ts';
import { decodeBytes } from './rules.ts';

/** Serves the logo under the address that the clinic names; another logo has another one. */
export const mountLogo = (serve: Serve): void =>
  serve('GET', '/logo/:tag', async (c) => {
    const { db } = depsOf(c);
    const [row] = await run(db, findLogo(db, { tag: c.req.param('tag') ?? '' }));
    const file = row && {
      content: decodeBytes(row.content),
      contentType: row.contentType,
      etag: `"${row.tag}"`,
    };
    return answerFile(c, file, { ...pageHeaders, 'Cache-Control': hashedForever });
  });
