import * as z from 'zod/mini';
import { run, runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { once } from '../../../core/endpoint/once.ts';
import { recordPatientEvent } from '../../../core/events/patient-event.ts';
import { decodeCursor } from '../../../core/http/cursor.ts';
import { buildPage, defaultLimit } from '../../../core/http/page.ts';
import { RequestRepeated, type ResponseToStore } from '../../../core/idempotency/key.ts';
import { storeResponse } from '../../../core/idempotency/queries.ts';
import { replaceWords } from '../../../core/search/queries.ts';
import { personWords } from '../../../core/search/rules.ts';
import { eventRow } from '../../auth/audit/queries.ts';
import { type Author, fieldsIn } from '../../auth/audit/rules.ts';
import { offerMatches } from '../../auth/match-queries.ts';
import { emptyRecord, recordAfter } from '../record/record.ts';
import {
  insertRecord,
  recordChange,
  recordColumns,
  recordStands,
  updateRecord,
} from '../record/record-queries.ts';
import { familyAdditionsSpanMs, maxFamily, unconfirmed } from '../record/rules.ts';
import { familyView } from '../record/views.ts';
import type { AddFamilyMember, ChangeFamilyMember } from './contract.ts';
import { ListFamily } from './contract.ts';
import {
  changeRelation,
  endRelation,
  explainAddition,
  findDependents,
  findMember,
  findMembers,
  insertRelation,
  type MemberRow,
  recordAddition,
  recordEndOfRelation,
} from './queries.ts';

/** The part of a request that the actions of the family use. */
export interface FamilyContext {
  deps: Deps;
  by: Author;
  toStoredResponse: ResponseToStore;
}

interface PageQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

const position = once(() => z.tuple([z.int(), z.string()]));

export const familyRead = ({ db }: Deps, accountId: string, { limit = defaultLimit, cursor }: PageQuery) => {
  const [afterAdded, afterId] = cursor === undefined ? [-1, ''] : decodeCursor(cursor, position);
  return findMembers(db, { accountId, afterAdded, afterId, limit: limit + 1 });
};

const memberView = (deps: Deps, row: MemberRow) => familyView(deps, row, row.accountEmail, row.relation);

export const familyPage = async (deps: Deps, rows: readonly MemberRow[], query: PageQuery) => {
  const { shown, ...page } = buildPage(rows, ListFamily.path, query, ({ addedAt, id }) => [addedAt, id]);
  return {
    status: 200 as const,
    data: await Promise.all(shown.map((row) => memberView(deps, row))),
    ...page,
  };
};

/** Adds a patient to the account's family. Throws `family_full`. */
export const addFamilyMember = async (
  { deps, by, toStoredResponse }: FamilyContext,
  { relation, ...input }: BodyOf<typeof AddFamilyMember>,
) => {
  const { db } = deps;
  const { actorId, now } = by;
  const [id, writeId] = [deps.newId(), deps.newId()];
  const given = await recordAfter(deps, now, emptyRecord, input);
  const record = { ...given, id, createdBy: actorId, createdAt: now, updatedAt: now };
  const data = await familyView(deps, record, null, relation);
  const response = toStoredResponse({ status: 201, data });
  const room = {
    key: response?.idempotency.key ?? null,
    maxFamily,
    since: now - familyAdditionsSpanMs,
  };
  const event = eventRow({
    writeId,
    type: 'family_added',
    userId: actorId,
    ...by,
    detail: { patient_id: id },
  });
  const {
    why: [why],
  } = await runAll(db, {
    addition: recordAddition(db, { ...event, ...room }),
    record: insertRecord(db, {
      id,
      writeId,
      actorId,
      now,
      numbered: 0,
      ...recordColumns.valuesOf(record),
    }),
    relation: insertRelation(db, { writeId, accountId: actorId, patientId: id, relation, now }),
    why: explainAddition(db, { writeId, actorId, now, ...room }),
    words: replaceWords(db, 'person', id, personWords(record), recordStands(id, writeId)),
    response: storeResponse(db, { writeId, actorId, now }, response),
    event: recordPatientEvent(db, by, 'patient.created', writeId, id),
  });
  if (why?.recorded) {
    deps.eventsWritten();
    return data;
  }
  if (why?.repeated) throw new RequestRepeated();
  throw new Failure('family_full');
};

const ownFields = ['name', 'phone_number', 'phone_country_code'] as const;
const clinicFields = ['birth_date', 'national_id', 'insurance_number'] as const;

/** Changes a member of the family, or the own record except name and phone number, which belong to the account. */
export const changeFamilyMember = async (
  { deps, by }: Omit<FamilyContext, 'toStoredResponse'>,
  named: string,
  { relation, ...input }: BodyOf<typeof ChangeFamilyMember>,
) => {
  const { db } = deps;
  const { actorId, now } = by;
  return decideAgain(async () => {
    const {
      before: [before],
      known: [known],
    } = await runAll(db, {
      before: findMember(db, { accountId: actorId, id: named }),
      known: findDependents(db, { id: named, now }),
    });
    if (before === undefined) throw new Failure('not_found');
    const { id } = before;
    const isOwn = before.relation === 'self';
    const wrong = ownFields.find((name) => isOwn && input[name] !== undefined);
    if (wrong !== undefined)
      throw new Failure('validation_failed', { issues: [{ path: wrong, rule: 'of_profile' }] });
    if (known?.visited && clinicFields.some((name) => input[name] !== undefined))
      throw new Failure('treated_already');
    const writeId = deps.newId();
    const after = await recordAfter(deps, now, before, input);
    // Numbers that the family changes are the family's word again.
    if (clinicFields.some((name) => input[name] !== undefined)) Object.assign(after, unconfirmed);
    const next = { ...after, relation: isOwn ? before.relation : (relation ?? before.relation) };
    const event = eventRow({
      writeId,
      type: 'family_changed',
      userId: actorId,
      ...by,
      detail: { patient_id: id, fields: fieldsIn({ relation, ...input }) },
    });
    const words = personWords({ ...after, email: after.email ?? before.accountEmail });
    const {
      updated,
      member: [written],
    } = await runAll(db, {
      change: recordChange(db, { ...event, patientId: id, version: before.version }),
      updated: updateRecord(db, {
        id,
        writeId,
        version: before.version,
        now,
        ...recordColumns.valuesOf(after),
      }),
      relation: changeRelation(db, {
        writeId,
        accountId: actorId,
        patientId: id,
        relation: next.relation,
      }),
      member: findMember(db, { accountId: actorId, id }),
      words: replaceWords(db, 'person', id, words, recordStands(id, writeId)),
      matches: isOwn && input.birth_date !== undefined ? [offerMatches(db, { userId: id, now })] : [],
      event: recordPatientEvent(db, by, 'patient.updated', writeId, id),
    });
    if (updated.length === 0 || written === undefined) return overtaken;
    deps.eventsWritten();
    return memberView(deps, written);
  });
};

/** Ends a relation. Throws `bookings_coming` while a booking of the patient is still to come. */
export const endFamilyMember = async (
  { deps, by }: Omit<FamilyContext, 'toStoredResponse'>,
  id: string,
): Promise<void> => {
  const { db } = deps;
  const { actorId, now } = by;
  const writeId = deps.newId();
  const event = eventRow({
    writeId,
    type: 'family_ended',
    userId: actorId,
    ...by,
    detail: { patient_id: id },
  });
  const { ended } = await runAll(db, {
    recorded: recordEndOfRelation(db, { ...event, patientId: id }),
    ended: endRelation(db, { writeId, accountId: actorId, patientId: id, now }),
  });
  if (ended.length > 0) return;
  const [member] = await run(db, findMember(db, { accountId: actorId, id }));
  // The relation to oneself cannot be ended.
  if (member === undefined || member.relation === 'self') throw new Failure('not_found');
  // The id of a record that was merged leads to the one that is left.
  if (member.id !== id) return endFamilyMember({ deps, by }, member.id);
  throw new Failure('bookings_coming');
};
