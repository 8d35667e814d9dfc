import { Failure } from '../../core/endpoint/errors.ts';
import { toIso } from '../../core/endpoint/instants.ts';
import { assertOperatorPassword, enrolOperator } from './accounts.ts';
import { type Mounting, readJson } from './mounting.ts';
import type { OperatorNeeds } from './needs.ts';
import { deleteOperator, findOperator, listOperators } from './queries.ts';
import { OperatorRefusal } from './refusals.ts';
import { operatorShape, parseBy } from './shapes.ts';

/** Mounts the accounts of the page, for programs with the secret alone: no operator makes another one. */
export const mountAccounts = (
  { mountForSecret }: Mounting,
  { db, clock, box, hasher, commonPasswords }: OperatorNeeds,
): void => {
  mountForSecret('GET', '/operators', async () => {
    const all = await listOperators(db);
    return {
      status: 200,
      data: all.map(({ email, createdAt }) => ({ email, created_at: toIso(createdAt) })),
    };
  });
  for (const [path, isNew] of [
    ['/operators', true],
    ['/operators/reset', false],
  ] as const)
    mountForSecret('POST', path, async (c) => {
      const { email, password } = parseBy(operatorShape(), await readJson(c));
      const isCommon = await commonPasswords();
      try {
        assertOperatorPassword(email, password, isCommon);
        const made = await enrolOperator({ email, password, isNew }, { db, box, hasher, now: clock() });
        return { status: isNew ? 201 : 200, data: made };
      } catch (error) {
        if (error instanceof Error && error.constructor === Error)
          throw new OperatorRefusal('operator_refused', { detail: error.message });
        throw error;
      }
    });
  mountForSecret('DELETE', '/operators/:email', async (c) => {
    const found = await findOperator(db, (c.req.param('email') ?? '').toLowerCase());
    if (found === null) throw new Failure('not_found');
    await deleteOperator(db, found.id);
    return { status: 200, data: { email: found.email } };
  });
};
