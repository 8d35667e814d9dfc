import * as z from 'zod/mini';
import type { Deps } from '../../deps.ts';
import type { QueryOf } from '../../endpoint/endpoint.ts';
import { Failure } from '../../endpoint/errors.ts';
import { isoOf } from '../../endpoint/instants.ts';
import { once } from '../../endpoint/once.ts';
import { pageOf, pageStart } from '../../http/page.ts';
import { ListSecurityEvents } from './contract.ts';
import { pages } from './list-queries.ts';

type Query = QueryOf<typeof ListSecurityEvents>;
type Row = ReturnType<typeof pages.time>['_']['result'][number];

const position = once(() => z.tuple([z.number(), z.number()]));

/** The instants of the dates that are asked for, by the clinic's clock; the end is not included. */
const periodOf = ({ clinicTime }: Deps, { from, to }: Query) => {
  if (from !== undefined && to !== undefined && to < from)
    throw new Failure('invalid_query', { issues: [{ path: 'to', rule: 'not_before', limit: 'from' }] });
  return {
    from: from === undefined ? 0 : clinicTime.startOf(from),
    end: to === undefined ? Number.MAX_SAFE_INTEGER : clinicTime.startOf(clinicTime.addDays(to, 1)),
  };
};

/** The read of one page of the trail, the newest first. */
export const trailRead = (deps: Deps, query: Query) => {
  const { from, end } = periodOf(deps, query);
  const start = pageStart(query, position, [end, 0]);
  const [beforeAt, beforeSequence] = start.position;
  const filter = {
    patientId: query.patient_id ?? null,
    userId: query.user_id ?? null,
    actorId: query.actor_id ?? null,
    type: query.type ?? null,
    route: query.route ?? null,
  };
  const narrowest = (['patientId', 'userId', 'actorId', 'type'] as const).find(
    (name) => filter[name] !== null,
  );
  const page = pages[narrowest ?? 'time'];
  return page(deps.db, { ...filter, from, beforeAt, beforeSequence, limit: start.limit });
};

/** The facts of a line; null where somebody spoilt them in the database, which is for `verify` to tell. */
const factsIn = (detail: string | null): unknown => {
  try {
    return detail === null ? null : JSON.parse(detail);
  } catch {
    return null;
  }
};

const view = (row: Row) => ({
  id: row.writeId,
  type: row.type,
  user_id: row.userId,
  user_name: row.userName,
  actor_id: row.actorId,
  actor_kind: row.actorKind,
  actor_name: row.actorName,
  patient_id: row.patientId,
  patient_name: row.patientName,
  route: row.route,
  device_login_id: row.deviceLoginId,
  network: row.network,
  request_id: row.requestId,
  occurred_at: isoOf(row.occurredAt),
  detail: factsIn(row.detail),
  block: row.block,
});

/** A page of the trail as it is answered. */
export const trailPage = (rows: readonly Row[], query: Query) => {
  const { path } = ListSecurityEvents;
  const page = pageOf(rows, path, { ...query }, ({ occurredAt, sequence }) => [occurredAt, sequence]);
  return { ...page, shown: page.shown.map(view) };
};

/** The columns of the table that a spreadsheet gets. */
export const tableOf = (shown: ReturnType<typeof trailPage>['shown']) =>
  shown.map((line) => ({ ...line, detail: line.detail === null ? null : JSON.stringify(line.detail) }));

/** Their names, also where there is no line. */
export const tableColumns = [
  'occurred_at',
  'type',
  'actor_id',
  'actor_kind',
  'actor_name',
  'patient_id',
  'patient_name',
  'user_id',
  'user_name',
  'route',
  'detail',
  'device_login_id',
  'network',
  'request_id',
  'id',
  'block',
] as const;
