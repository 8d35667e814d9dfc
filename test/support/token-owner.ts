import { createPerson } from './people.ts';
import { createWorld } from './world.ts';

export const started = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  return { world, person: await createPerson(world) };
};
