import { expect, it } from 'vitest';
import { openManyClinics } from '../../support/node/many-clinics.ts';

it("a clinic's own writes drop its kept answers at once, and no other clinic's", async () => {
  const { askRaw, login, book } = await openManyClinics(['melati', 'mawar'], {
    settings: { PUBLIC_CACHE: 'on' },
  });
  const token = await login('melati');
  const age = async (id: string) => (await askRaw(id)('/v1/doctors')).headers.get('Age');
  for (const id of ['melati', 'mawar']) expect([await age(id), await age(id)]).toEqual([null, '0']);
  expect((await book('melati', token)).status).toBe(201);
  expect([await age('melati'), await age('mawar')]).toEqual([null, '0']);
});
