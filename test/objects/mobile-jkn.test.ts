import { expect, it } from 'vitest';
import { askOperator, createClinics } from '../support/objects/clinics.ts';
import { apart, playAtTwoClinics } from '../support/peers/mobile-jkn-clinics.ts';

it('Mobile JKN books in the clinic whose host it asks; a token of one clinic is refused at another', async () => {
  const { ask, idOf } = await createClinics(['melati', 'mawar', 'tanpa']);
  for (const name of ['melati', 'mawar']) {
    const changed = await askOperator(`/${idOf(name)}`, {
      method: 'PATCH',
      body: { settings: { BPJS: 'rs' } },
    });
    expect(changed.status).toBe(200);
  }
  const at =
    (name: string): Parameters<typeof playAtTwoClinics>[0] =>
    (path, given) =>
      ask(name, path, given);
  expect(await playAtTwoClinics(at('melati'), at('mawar'))).toEqual(apart);
  expect((await ask('tanpa', '/bpjs/rs/token')).status).toBe(404);
});
