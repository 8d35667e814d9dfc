import { dayMs } from '../../core/clinic/durations.ts';
import { run } from '../../core/db/db.ts';
import type { Deps, SandboxControls } from '../../core/deps.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { toIso } from '../../core/endpoint/instants.ts';
import type { Serve } from '../../core/http/observed.ts';
import { changeEvent, recordSecurityEvent, toAuthor } from '../auth/audit/queries.ts';
import { createKey, revokeKey } from '../auth/keys/actions.ts';
import { keyFields } from '../auth/keys/fields.ts';
import { findKey } from '../auth/keys/queries.ts';
import type { Mount } from '../handler.ts';
import * as contract from './contract.ts';
import { findGoodKeys } from './queries.ts';

/** How far ahead the clock may be set: dates of the calendar end before years of five digits. */
const longestAheadMs = 3_650 * dayMs;

const requireControls = ({ sandbox }: Deps): SandboxControls => {
  if (sandbox === undefined) throw new Failure('not_found');
  return sandbox;
};
/** The sandbox beside the clinic at its time, which another process may have set; null where none was made yet. */
const findBeside = async ({ besideSandbox }: Deps, how?: 'make'): Promise<Deps | null> => {
  const sandbox = await besideSandbox?.open(how).catch(() => {
    throw new Failure('unavailable');
  });
  if (!sandbox) return null;
  await requireControls(sandbox.deps).readClock();
  return sandbox.deps;
};

/** The same, made where there was none. */
const makeBeside = async (deps: Deps): Promise<Deps> => {
  const sandbox = await findBeside(deps, 'make');
  if (sandbox === null) throw new Failure('not_found');
  return sandbox;
};

const clockView = ({ clock }: Deps) => ({ now: toIso(clock()) });

const setClock = async (deps: Deps, now: string) => {
  const wanted = Date.parse(now);
  const latest = Date.now() + longestAheadMs;
  if (wanted > latest)
    throw new Failure('validation_failed', {
      issues: [{ path: 'now', rule: 'too_late', limit: toIso(latest) }],
    });
  if (wanted < deps.clock() || !(await requireControls(deps).setClock(wanted)))
    throw new Failure('validation_failed', {
      issues: [{ path: 'now', rule: 'not_before', limit: toIso(deps.clock()) }],
    });
  return { status: 200, data: clockView(deps) } as const;
};

const reset = async (deps: Deps) => {
  await requireControls(deps).reset();
  return { status: 200, data: clockView(deps) } as const;
};

/** What its test keys can do with the sandbox itself. */
export const mountSandbox = (mount: Mount): void => {
  mount(contract.GetSandboxClock, {
    answer: ({ deps }) => ({ status: 200, data: clockView(deps) }),
  });
  mount(contract.SetSandboxClock, { answer: ({ deps, body }) => setClock(deps, body.now) });
  mount(contract.ResetSandbox, { answer: ({ deps }) => reset(deps) });
};

/** The line of the clinic's own trail. */
const record = (
  context: Parameters<typeof toAuthor>[0] & { deps: Deps },
  ...[type, detail]: [Parameters<typeof changeEvent>[2], Parameters<typeof changeEvent>[3]]
) => {
  const { deps } = context;
  return run(
    deps.db,
    recordSecurityEvent(deps.db, changeEvent(deps, toAuthor(context), type, { ...detail, sandbox: 'true' })),
  );
};

const shownKey = ({ id, name, prefix, scopes }: ReturnType<typeof keyFields.view>) => ({
  id,
  name,
  prefix,
  scopes,
});

/** What admins of the clinic do with the sandbox; the clinic's own trail has a line of each. */
export const mountTestKeys = (mount: Mount, serve: Serve): void => {
  // A test key never arrives here, and an admin reads the clock with the keys.
  serve('GET', contract.GetSandboxClock.path, () => {
    throw new Failure('unauthenticated');
  });
  mount(contract.GetSandbox, {
    answer: async ({ deps }) => {
      const sandbox = await findBeside(deps);
      if (sandbox === null) return { status: 200, data: { ...clockView(deps), keys: [] } };
      const rows = await run(sandbox.db, findGoodKeys(sandbox.db, {}));
      const keys = rows.map((row) => shownKey(keyFields.view(row)));
      return { status: 200, data: { ...clockView(sandbox), keys } };
    },
  });
  mount(contract.SetClockBeside, {
    answer: async (context) => {
      const answer = await setClock(await makeBeside(context.deps), context.body.now);
      await record(context, 'sandbox_clock_set', { until: answer.data.now });
      return answer;
    },
  });
  mount(contract.ResetBeside, {
    answer: async (context) => {
      const answer = await reset(await makeBeside(context.deps));
      await record(context, 'sandbox_reset', {});
      return answer;
    },
  });
  mount(contract.CreateTestKey, {
    answer: async (context) => {
      const { deps, body } = context;
      const by = toAuthor(context);
      const sandbox = await makeBeside(deps);
      // Each request makes another key: none is stored for a repetition, and none can be shown twice.
      const made = await createKey(
        sandbox,
        { ...by, now: sandbox.clock() },
        { ...body, expires_at: null },
        () => null,
      );
      const detail = { api_key_id: made.id, scopes: made.scopes.join(',') };
      await record(context, 'api_key_created', detail);
      return { status: 201, data: { ...shownKey(made), key: made.key } };
    },
  });
  mount(contract.RevokeTestKey, {
    answer: async (context) => {
      const { deps, params } = context;
      const by = toAuthor(context);
      const sandbox = await findBeside(deps);
      const [found] = sandbox === null ? [] : await run(sandbox.db, findKey(sandbox.db, { id: params.id }));
      if (sandbox === null || found === undefined) throw new Failure('not_found');
      await revokeKey(sandbox, { ...by, now: sandbox.clock() }, params.id);
      const detail = { api_key_id: params.id };
      await record(context, 'api_key_revoked', detail);
      return { status: 200 };
    },
  });
};
