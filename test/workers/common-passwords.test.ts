import { describe, expect, it } from 'vitest';
import list from '../../src/modules/auth/passwords/common-passwords.txt?raw';
import { createCommonPasswordReader } from '../../src/runtime/worker/assets.ts';

describe('the common passwords of a Worker', () => {
  it('are read from its assets; without them no password is set', async () => {
    await expect(createCommonPasswordReader(undefined)()).rejects.toMatchObject({ code: 'unavailable' });
    const missing = { fetch: async () => new Response('', { status: 404 }) };
    await expect(createCommonPasswordReader(missing)()).rejects.toMatchObject({ code: 'unavailable' });
    const asked: string[] = [];
    const assets = {
      fetch: async (url: string) => {
        asked.push(new URL(url).pathname);
        return new Response(list);
      },
    };
    const read = createCommonPasswordReader(assets);
    for (const isCommon of [await read(), await read()])
      expect([isCommon('password1'), isCommon('budi santoso suka nasi')]).toEqual([true, false]);
    expect(asked).toEqual(['/common-passwords.txt']);
  });
});
