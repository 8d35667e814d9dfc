import { run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { findSealed, resealEndpoint } from './health-queries.ts';

const resealed = async (
  { secretBox }: Pick<Deps, 'secretBox'>,
  sealed: string | null,
): Promise<string | null> => {
  if (sealed === null || !secretBox.isOld(sealed)) return sealed;
  const text = await secretBox.open(sealed);
  return text === null ? sealed : secretBox.seal(text);
};

/** After DATA_KEY was rotated, or came: seals the endpoints' secrets with the new key, before the old key is removed. */
export const resealSecrets = async (deps: Pick<Deps, 'db' | 'secretBox'>): Promise<void> => {
  for (const { id, secret, previousSecret } of await run(deps.db, findSealed(deps.db, {}))) {
    const next = await resealed(deps, secret);
    const nextPrevious = await resealed(deps, previousSecret);
    if (next === secret && nextPrevious === previousSecret) continue;
    const values = { id, oldSecret: secret, secret: next, previousSecret: nextPrevious };
    await run(deps.db, resealEndpoint(deps.db, values));
  }
};
