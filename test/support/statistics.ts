import type { World } from './world.ts';

export const asker =
  (world: World, token: string) =>
  async (query: string, headers: Record<string, string> = {}) =>
    world.request(`/v1/admin/statistics?${query}`, { token, headers });
