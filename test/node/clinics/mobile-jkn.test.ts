import { expect, it } from 'vitest';
import { changeClinic } from '../../../src/modules/clinics/queries.ts';
import { openManyClinics } from '../../support/node/many-clinics.ts';
import { apart, playAtTwoClinics } from '../../support/peers/mobile-jkn-clinics.ts';

it('Mobile JKN books in the clinic whose host it asks; a token of one clinic is refused at another', async () => {
  const { many, askRaw } = await openManyClinics(['melati', 'mawar', 'tanpa']);
  for (const id of ['melati', 'mawar'])
    await changeClinic(many().directory, id, { settings: { BPJS: 'rs' } });
  expect(await playAtTwoClinics(askRaw('melati'), askRaw('mawar'))).toEqual(apart);
  expect((await askRaw('tanpa')('/bpjs/rs/token')).status).toBe(404);
});
