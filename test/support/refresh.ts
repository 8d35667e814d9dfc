import { createWorld, registerPatient, type World } from './world.ts';

export const refresh = (world: World, refresh_token: string) =>
  world.request('/v1/auth/refresh', { body: { refresh_token } });

export const profile = (world: World, token: string) => world.request('/v1/auth/profile', { token });

export const started = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  return { world, patient: await registerPatient(world) };
};
