import { findArchivedEvents } from '../../../core/archive/queries.ts';
import { mergePages, newestFirst } from '../../../core/archive/rules.ts';
import { run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import { RequestRepeated } from '../../../core/idempotency/key.ts';
import type { AuthenticatedContext } from '../../auth/context.ts';
import { readOfPatients } from '../../booking/record/archived.ts';
import { findMembers } from '../../booking/record/archived-queries.ts';
import { readAll } from './reads.ts';
import { most } from './rules.ts';
import { exportView } from './views.ts';

/** How many bookings' events are read at once. */
const eventsOf = 500;

/** The events of archived bookings, as the file has them: a text of JSON for each booking. */
const archivedEvents = async ({ archive }: Deps, ids: readonly string[]): Promise<Map<string, string>> => {
  const texts = new Map<string, string>();
  if (archive === undefined) return texts;
  for (let at = 0; at < ids.length; at += eventsOf) {
    const some = JSON.stringify(ids.slice(at, at + eventsOf));
    const wanted = { ids: some, afterVersion: 0, limit: 50 * eventsOf };
    const events = await run(archive.db, findArchivedEvents(archive.db, wanted));
    for (const [id, own] of Map.groupBy(events, ({ bookingId }) => bookingId))
      texts.set(
        id,
        JSON.stringify(
          own.map(({ type, actorRole, occurredAt }) => ({ type, by: actorRole, at: toIso(occurredAt) })),
        ),
      );
  }
  return texts;
};

type Bookings = Awaited<ReturnType<typeof readAll>>['bookings'];

const withArchived = async (deps: Deps, personId: string, own: Bookings): Promise<Bookings> => {
  if (deps.archive === undefined) return own;
  const members = await run(deps.db, findMembers(deps.db, { accountId: personId }));
  const ids = members.map(({ id }) => id);
  const archived = await readOfPatients(deps, personId, ids, most.bookings + 1);
  const events = await archivedEvents(
    deps,
    archived.map(({ id }) => id),
  );
  return mergePages(
    own,
    archived.map((row) => ({ ...row, events: events.get(row.id) ?? '[]' })),
    newestFirst,
    most.bookings + 1,
  );
};

/** Everything that is stored of a person and the family, for one file. */
export const exportPerson = async (context: AuthenticatedContext, personId: string) => {
  const rows = await readAll(context, personId);
  if (rows.written.length === 0) throw new RequestRepeated();
  const bookings = await withArchived(context.deps, personId, rows.bookings);
  return exportView(context, personId, { ...rows, bookings });
};
