import { expect, it } from 'vitest';
import { askOperator, createClinics } from '../support/objects/clinics.ts';

it('public reads are kept by the front for a clinic that allows it, and no other', async () => {
  const { ask, idOf, login } = await createClinics(['melati', 'mawar']);
  const settings = { PUBLIC_CACHE: 'on' };
  await askOperator(`/${idOf('melati')}`, { method: 'PATCH', body: { settings } });
  const age = async (name: string, token?: string) =>
    (await ask(name, '/v1/doctors', { token })).headers.get('Age');
  expect(await age('melati')).toBeNull();
  // It is kept after the answer.
  await expect.poll(() => age('melati'), { timeout: 4_000, interval: 20 }).not.toBeNull();
  expect(await age('melati', await login('melati'))).toBeNull();
  for (const _ of [1, 2, 3]) expect(await age('mawar')).toBeNull();
});
