import { runAll } from '../../../core/db/db.ts';
import { storeResponse } from '../../../core/idempotency/queries.ts';
import { pages } from '../../auth/audit/list-queries.ts';
import { eventRow, findRecorded, toAuthor } from '../../auth/audit/queries.ts';
import { findConsents } from '../../auth/consents/queries.ts';
import type { AuthenticatedContext } from '../../auth/context.ts';
import { findChoices } from '../../notices/queries.ts';
import { recordIfFirst } from '../record/record-queries.ts';
import {
  findAccount,
  findBookings,
  findEntries,
  findExternalIds,
  findLogins,
  findMails,
  findNotices,
  findRecords,
  findRelations,
} from './queries.ts';
import { most } from './rules.ts';

/** Records that somebody is given a person's data, and reads them, in one step: the file is of one instant. */
export const readAll = (context: AuthenticatedContext, personId: string) => {
  const { deps, actor, now, toStoredResponse } = context;
  const { db } = deps;
  const writeId = deps.newId();
  const { actorId, deviceLoginId, requestId } = toAuthor(context);
  const isOwn = personId === actor.userId;
  const event = eventRow({
    writeId,
    type: isOwn ? 'account_exported' : 'patient_exported',
    userId: personId,
    actorId,
    deviceLoginId,
    requestId,
    now,
    ...(!isOwn && { detail: { patient_id: personId } }),
  });
  const response = toStoredResponse({ status: 200 });
  const others = { personId, limit: most.others };
  return runAll(db, {
    recorded: recordIfFirst(db, { ...event, key: response?.idempotency.key ?? null }),
    stored: storeResponse(db, { writeId, actorId, now }, response),
    written: findRecorded(db, { writeId }),
    account: findAccount(db, { personId }),
    records: findRecords(db, others),
    // One row more than is shown, to see whether there are more.
    bookings: findBookings(db, { personId, limit: most.bookings + 1 }),
    logins: findLogins(db, others),
    consents: findConsents(db, { userId: personId, limit: most.others }),
    mails: findMails(db, others),
    notices: findNotices(db, others),
    choices: findChoices(db, { personId }),
    relations: findRelations(db, others),
    sources: findExternalIds(db, others),
    entries: findEntries(db, others),
    events: pages.person(db, {
      personId,
      userId: null,
      patientId: null,
      actorId: null,
      type: null,
      route: null,
      from: 0,
      beforeAt: Number.MAX_SAFE_INTEGER,
      beforeSequence: 0,
      limit: most.events + 1,
    }),
  });
};
