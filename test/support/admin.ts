import { createPerson } from './people.ts';
import type { World } from './world.ts';

/** An admin's way to the service. */
export const createAdmin = async (world: World) => {
  const { token, id } = await createPerson(world, 'admin');
  const call = (method: string) => (path: string, body?: unknown) =>
    world.request(path, { method, token, ...(body !== undefined && { body }) });
  return { id, token, get: call('GET'), post: call('POST'), patch: call('PATCH'), remove: call('DELETE') };
};
