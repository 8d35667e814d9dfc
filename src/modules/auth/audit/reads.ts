import { fromBase64Url } from '../../../core/crypto/base64url.ts';
import { derive } from '../../../core/crypto/key-derivation.ts';
import { recognisesRepeat, run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { Endpoint } from '../../../core/endpoint/endpoint.ts';
import type { AnyActor, AnyContext } from '../context.ts';
import { recordSecurityEvent } from './queries.ts';
import { isPlain, listFilters, listSpanMs, type Reader } from './rules.ts';

type Context = Pick<AnyContext, 'deps' | 'now' | 'requestId'> & {
  actor: Pick<AnyActor, 'userId' | 'role' | 'deviceLoginId'>;
  params?: object | undefined;
  query?: object | undefined;
};

/** The patients whose records an answer showed: one, several, or null for the reader's own. */
export type Shown = string | readonly string[] | null;

/** How many recorded lists a process remembers; of others it writes the line again, which has no effect. */
const maxKnown = 10_000;

const toReader = ({ userId, role }: Context['actor']): Reader => ({
  id: userId,
  kind: role === 'api_key' ? 'api_key' : 'account',
});

const write = (deps: Deps, event: Parameters<typeof recordSecurityEvent>[1]): Promise<unknown> =>
  run(deps.db, recognisesRepeat(recordSecurityEvent(deps.db, event)));

/**
 * A UUID (version 8, RFC 9562) that is the same for the same text, and reveals nothing of the text without the clinic's
 * key.
 */
const deriveId = async ({ tokenKeys }: Deps, text: string): Promise<string> => {
  const bytes = fromBase64Url(await derive(tokenKeys, 'audit-filter', text)).subarray(0, 16);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
};

/** A filter as a line stores it: free text, which may be a name or a number, as a keyed hash. */
const shownFilter = ({ tokenKeys }: Deps, filter: readonly [name: string, value: string][]) =>
  Promise.all(
    filter.map(async (entry) => {
      const [name, value] = entry;
      const hash = () => derive(tokenKeys, 'audit-filter', `${name} ${value.trim().toLowerCase()}`);
      return [name, isPlain(entry) ? value : (await hash()).slice(0, 16)] as const;
    }),
  ).then(Object.fromEntries<string>);

/**
 * Writes the audit lines for what the clinic's people read through one endpoint, before the answer is sent: if the line
 * cannot be written, the answer is not sent. A record gets a line for each read. A list gets one for each reader,
 * filter and hour, which the process remembers, so that polling every few seconds costs nothing. An export gets one
 * each time.
 */
export const readLines = ({ method, path }: Pick<Endpoint, 'method' | 'path'>) => {
  const route = `${method.toUpperCase()} ${path}`;
  let span = 0;
  let known = new Set<string>();

  const buildLine = ({ actor, now, requestId }: Context) => {
    const { id: actorId, kind: actorKind } = toReader(actor);
    const { deviceLoginId } = actor;
    return { userId: null, actorId, actorKind, deviceLoginId, requestId, now, route };
  };

  return {
    record: (context: Context, shown: Exclude<Shown, null>): Promise<unknown> => {
      const [patientId, ...others] = [shown].flat();
      const detail = others.length === 0 ? {} : { detail: { patient_ids: [patientId, ...others].join(',') } };
      const writeId = context.deps.newId();
      const line = {
        ...buildLine(context),
        ...detail,
        patientId: others.length === 0 ? (patientId ?? null) : null,
      };
      return write(context.deps, { ...line, type: 'record_read', writeId });
    },

    /** Each time, since each time everything may leave. */
    exported: async (context: Context): Promise<void> => {
      const { deps } = context;
      const detail = await shownFilter(deps, listFilters(context.params, context.query));
      const line = { ...buildLine(context), detail, patientId: null };
      await write(deps, { ...line, type: 'data_exported', writeId: deps.newId() });
    },

    list: async (context: Context): Promise<void> => {
      const { deps, actor, now } = context;
      const at = Math.floor(now / listSpanMs);
      if (at !== span || known.size >= maxKnown) known = new Set();
      span = at;
      const filter = listFilters(context.params, context.query);
      const reader = toReader(actor);
      const key = JSON.stringify([reader.kind, reader.id, route, filter, at]);
      if (known.has(key)) return;
      const patientId = filter.find(([name]) => name === 'patient_id')?.[1] ?? null;
      const detail = await shownFilter(deps, filter);
      const line = { ...buildLine(context), detail, patientId };
      await write(deps, { ...line, type: 'list_read', writeId: await deriveId(deps, key) });
      known.add(key);
    },
  };
};
