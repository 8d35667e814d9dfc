import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import { encodeCursor } from '../../src/core/http/cursor.ts';
import { openCursor, signCursor } from '../../src/core/http/signed-cursor.ts';
import { findKeys } from '../support/world.ts';

const oldSecret = 'the-secret-before-of-the-tests-0123456789';
const newSecret = 'the-secret-after-it-of-the-tests-0123456789';
const keysOf = async (secret: string, previous?: string) => createTokenKeys(await findKeys(secret, previous));

const positions = fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.integer()), { maxLength: 4 });
const lists = fc.constantFrom('/v1/patients', '/v1/doctors', '/fhir/r4/Slot');

const opens = (keys: Awaited<ReturnType<typeof keysOf>>, list: string, cursor: string) =>
  openCursor(keys, list, cursor).then(
    (opened) => opened,
    (error: { code?: string }) => ({ refused: error.code }),
  );

const refused = { refused: 'invalid_query' };

it('a cursor opens at its list by the keys that signed it, also after they were changed, and nowhere else', async () => {
  const [before, after, others] = await Promise.all([
    keysOf(oldSecret),
    keysOf(newSecret, oldSecret),
    keysOf(newSecret),
  ]);
  await fc.assert(
    fc.asyncProperty(positions, lists, lists, async (position, list, other) => {
      const cursor = encodeCursor(position);
      const signed = await signCursor(before, list, cursor);
      expect(signed).toMatch(/^[\w-]+$/);
      expect(await opens(before, list, signed)).toBe(cursor);
      expect(await opens(after, list, signed)).toBe(cursor);
      expect(await opens(others, list, signed)).toEqual(refused);
      expect(await opens(before, list, cursor)).toEqual(refused);
      if (other !== list) expect(await opens(before, other, signed)).toEqual(refused);
    }),
  );
});

it('a cursor of which anything was changed is refused', async () => {
  const keys = await keysOf(oldSecret);
  const letters = fc.constantFrom(...'ABCabc019-_');
  await fc.assert(
    fc.asyncProperty(positions, fc.nat(), letters, async (position, place, letter) => {
      const signed = await signCursor(keys, '/v1/patients', encodeCursor(position));
      const at = place % signed.length;
      const changed = signed.slice(0, at) + letter + signed.slice(at + 1);
      const cut = signed.slice(0, at);
      expect(await opens(keys, '/v1/patients', cut)).toEqual(refused);
      if (changed !== signed) expect(await opens(keys, '/v1/patients', changed)).toEqual(refused);
    }),
  );
});
