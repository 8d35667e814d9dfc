import type { PublicFile } from '../deps.ts';

/** The binding of the static files. */
export interface Assets {
  fetch(url: string): Promise<Response>;
}

/** Static assets answer to any host; redirects would mean that a path is not a file's. */
export const assetsOf =
  (assets: Assets | undefined) =>
  async (path: string): Promise<PublicFile | null> => {
    const response = await assets?.fetch(`https://assets.local${path}`);
    if (response?.status !== 200 || response.body === null) return null;
    const { body: content, headers } = response;
    return { content, contentType: headers.get('Content-Type') ?? '', etag: headers.get('ETag') ?? '""' };
  };
