import { createApp } from '../../src/app.ts';
import { linesOf } from './trail.ts';
import { settleAll, type World } from './world.ts';

/** The lines that something leaves. */
export const left = async (world: World, work: () => Promise<unknown>) => {
  const before = await linesOf(world);
  await work();
  return (await linesOf(world)).slice(before.length);
};

/** The same service as a process that has just begun: it remembers no list. */
export const begunAnew = (world: World) => {
  const app = createApp(world.deps);
  return (path: string, token: string) =>
    Promise.resolve(
      app.request(`http://localhost${path}`, { headers: { Authorization: `Bearer ${token}` } }),
    );
};

/** Somebody who was seen a moment ago: that is not written again. */
export const seen = async (world: World, { token }: { token: string }): Promise<void> => {
  await world.request('/v1/auth/profile', { token });
  await settleAll();
};
