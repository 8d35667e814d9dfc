import type { IsCommonPassword, PublicFile } from '../../core/deps.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { commonPasswordsIn } from '../../modules/auth/passwords/common-passwords.ts';

/** The binding of the static files. */
export interface Assets {
  fetch(url: string): Promise<Response>;
}

/** Static assets answer to any host; redirects would mean that a path is not a file's. */
export const createAssetReader =
  (assets: Assets | undefined) =>
  async (path: string): Promise<PublicFile | null> => {
    const response = await assets?.fetch(`https://assets.local${path}`);
    if (response?.status !== 200 || response.body === null) return null;
    const { body: content, headers } = response;
    return { content, contentType: headers.get('Content-Type') ?? '', etag: headers.get('ETag') ?? '""' };
  };

let known: IsCommonPassword | undefined;

/**
 * Reads the list of common passwords from the assets, once for each isolate: in the bundle it would be an eighth of it. No
 * route shows it; without it no password is set.
 */
export const createCommonPasswordReader =
  (assets: Assets | undefined) => async (): Promise<IsCommonPassword> => {
    if (known !== undefined) return known;
    const response = await assets?.fetch('https://assets.local/common-passwords.txt');
    if (response?.status !== 200) throw new Failure('unavailable');
    known = commonPasswordsIn(await response.text());
    return known;
  };
