import { findClinic } from '../booking/catalog/queries.ts';
import { run } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import { Failure } from '../errors.ts';
import type { Mount } from '../handler.ts';
import * as contract from './contract.ts';

const isReady = async (deps: Deps): Promise<boolean> => {
  try {
    return (await run(deps.db, findClinic(deps.db, {}))).length === 1;
  } catch {
    return false;
  }
};

export const mountHealth = (mount: Mount): void => {
  mount(contract.GetHealth, { answer: () => ({ status: 200, data: { name: 'janji' } }) });
  mount(contract.GetReady, {
    answer: async ({ deps }) => {
      if (!(await isReady(deps))) throw new Failure('unavailable');
      return { status: 200, data: { database: 'ready' } };
    },
  });
};
