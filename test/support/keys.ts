import type { Scope } from '../../src/core/endpoint/endpoint.ts';
import { apiKeys } from '../../src/core/tables/keys.ts';
import { newKey } from '../../src/modules/auth/keys/key.ts';
import type { World } from './world.ts';

/** A key of the clinic with these scopes, written directly: its id, and what a machine sends. */
export const addKey = async (
  { deps, db, clock }: Pick<World, 'deps' | 'db' | 'clock'>,
  scopes: readonly Scope[],
  fields: Partial<typeof apiKeys.$inferInsert> = {},
) => {
  const { key: token, prefix, userId: id, hash } = await newKey(deps.tokenKeys);
  await db.insert(apiKeys).values({
    id,
    hash,
    prefix,
    name: 'Mesin antrean',
    scopes: JSON.stringify(scopes),
    createdBy: deps.newId(),
    createdAt: clock.now,
    ...fields,
  });
  return { id, token };
};
