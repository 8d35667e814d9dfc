import { password, type World } from './world.ts';

export const next = 'sandi-yang-baru-42';

export const logIn = (world: World, email: string, typed = password, headers: Record<string, string> = {}) =>
  world.request('/v1/auth/login', { body: { email, password: typed }, headers });

export const profile = async (world: World, token: string) =>
  (await world.request('/v1/auth/profile', { token })).status;

export const settled = async (world: World) => {
  await Promise.all(world.background.splice(0));
};

export const change = (world: World, token: string, current_password: string, password = next) =>
  world.request('/v1/auth/password', {
    token,
    body: { current_password, password, password_confirmation: password },
  });
