import { expect, it } from 'vitest';
import { formStyle, formStyleHash } from '../../src/core/http/pages/form-style.ts';
import { formHeaders } from '../../src/core/http/pages/page-headers.ts';

it('the policy of a page that is one form allows its own style and no other', async () => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(formStyle)));
  expect(formStyleHash).toBe(`sha256-${btoa(String.fromCharCode(...digest))}`);
  const [allowed] = /style-src [^;]*/.exec(formHeaders['content-security-policy'] ?? '') ?? [];
  expect(allowed).toBe(`style-src '${formStyleHash}'`);
});
