import type { ClinicKeys } from '../../src/core/crypto/clinic-keys.ts';
import { createSecretBox } from '../../src/core/crypto/sealing.ts';
import { createTokenKeys } from '../../src/core/crypto/token-keys.ts';
import type { World } from './world.ts';

/** Puts other keys in the place of a world's own, as a start with other settings would. */
export const restart = async (world: World, keys: ClinicKeys): Promise<void> => {
  world.deps.tokenKeys = await createTokenKeys(keys);
  world.deps.secretBox = await createSecretBox(keys);
};
