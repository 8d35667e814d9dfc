import { expect, it } from 'vitest';
import { atACopy, atItsClinic, makeCredentials, tryCredentials } from '../../support/clinic-credentials.ts';
import { openManyClinics } from '../../support/node/many-clinics.ts';

it('nothing that lets somebody in at one clinic does so at a copy of its database', async () => {
  const { askRaw, copyAndRestart } = await openManyClinics(['melati', 'mawar']);
  const made = await makeCredentials(askRaw('melati'));
  await copyAndRestart('melati', 'mawar');
  expect(await tryCredentials(askRaw('mawar'), made)).toEqual(atACopy);
  expect(await tryCredentials(askRaw('melati'), made)).toEqual(atItsClinic);
});
