import * as z from 'zod/mini';
import { assertDatesInOrder } from '../../../core/clinic/date-range.ts';
import type { Deps } from '../../../core/deps.ts';
import type { QueryOf } from '../../../core/endpoint/endpoint.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import { once } from '../../../core/endpoint/once.ts';
import { buildPage, pageStart } from '../../../core/http/page.ts';
import { everydayTypes } from '../../../core/tables/words.ts';
import { ListSecurityEvents } from './contract.ts';
import { pages } from './list-queries.ts';

type Query = QueryOf<typeof ListSecurityEvents>;
type Row = ReturnType<typeof pages.time>['_']['result'][number];

const isEveryday = (type: string): boolean => everydayTypes.some((everyday) => everyday === type);

const position = once(() => z.tuple([z.number(), z.number()]));

/** The read of one page of the trail, the newest first, by dates of the clinic. */
export const trailRead = ({ db, clinicTime }: Deps, query: Query) => {
  const { from, to } = query;
  if (from !== undefined && to !== undefined) assertDatesInOrder('invalid_query', { from, to });
  const end = to === undefined ? Number.MAX_SAFE_INTEGER : clinicTime.startOf(clinicTime.addDays(to, 1));
  const start = pageStart(query, position, [end, 0]);
  const [beforeAt, beforeSequence] = start.position;
  const filter = {
    patientId: query.patient_id ?? null,
    userId: query.user_id ?? null,
    actorId: query.actor_id ?? null,
    type: query.type ?? null,
    route: query.route ?? null,
  };
  // By what few lines have in common: a patient has the fewest, a type the most. Those of every day are found by time.
  const narrowest = (['patientId', 'userId', 'actorId', 'type'] as const).find(
    (name) => filter[name] !== null && !isEveryday(filter[name]),
  );
  const values = { ...filter, beforeAt, beforeSequence, limit: start.limit };
  return pages[narrowest ?? 'time'](db, {
    ...values,
    from: from === undefined ? 0 : clinicTime.startOf(from),
  });
};

/** The facts of a line; null where they were damaged in the database, which `verify` reports. */
const factsIn = (detail: string | null): unknown => {
  try {
    return detail === null ? null : JSON.parse(detail);
  } catch {
    return null;
  }
};

/** The columns of a line in the order of the table, each by the name that it is answered under. */
const columns = {
  id: 'writeId',
  occurred_at: 'occurredAt',
  type: 'type',
  actor_id: 'actorId',
  actor_kind: 'actorKind',
  actor_name: 'actorName',
  patient_id: 'patientId',
  patient_name: 'patientName',
  user_id: 'userId',
  user_name: 'userName',
  route: 'route',
  detail: 'detail',
  device_login_id: 'deviceLoginId',
  network: 'network',
  request_id: 'requestId',
  block: 'block',
} as const satisfies Record<string, keyof Row>;

export const tableColumns = Object.keys(columns);

/** A line as a row of a table for a spreadsheet. */
export const tableRow = (row: Row): Record<string, string | number | null> => ({
  ...Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, row[column]])),
  occurred_at: toIso(row.occurredAt),
});

export const trailPage = (rows: readonly Row[], query: Query) => {
  const { path } = ListSecurityEvents;
  return buildPage(rows, path, { ...query }, ({ occurredAt, sequence }) => [occurredAt, sequence]);
};

/** A line as the API answers it. */
export const lineView = (row: Row) => ({ ...tableRow(row), detail: factsIn(row.detail) });
