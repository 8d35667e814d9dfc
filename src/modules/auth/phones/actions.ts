import { dayMs } from '../../../core/clinic/durations.ts';
import { run, runAll, type Statement } from '../../../core/db/db.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { refusedToken } from '../../../core/endpoint/refused-token.ts';
import { recordPatientEvent } from '../../../core/events/patient-event.ts';
import { replaceWords } from '../../../core/search/queries.ts';
import { personWords } from '../../../core/search/rules.ts';
import { takesPhoneCodes } from '../../../core/takes-codes.ts';
import { endOthers } from '../account/email-change-queries.ts';
import { copyProfileToRecord } from '../account/queries.ts';
import { ownEvent } from '../audit/own-event.ts';
import { eventRow, findRecorded } from '../audit/queries.ts';
import {
  countWrongCode,
  findLoginCode,
  findUserByPhone,
  releasePhone,
  spendRecordedCode,
  tellsPhone,
} from '../code/queries.ts';
import { isStillHolder } from '../code/rules.ts';
import { hashesOfTyped, type Purpose, sendCodeFor } from '../code/send.ts';
import type { PhoneWay } from '../code/way.ts';
import type { AuthenticatedContext } from '../context.ts';
import { endFeeds } from '../feed-queries.ts';
import { tellAddress } from '../mail/queries.ts';
import { sendDueMail } from '../mail/send.ts';
import { offerMatches } from '../match-queries.ts';
import { nameOfOwner } from '../owner.ts';
import { type Attempt, forgetOrigins } from '../throttle/throttled.ts';
import {
  changePhone,
  findOwner,
  mailPhoneChange,
  profileIsSet,
  recordLapse,
  recordPhoneChange,
  recordPhoneRemoval,
  removePhone,
} from './queries.ts';
import { contactAfter, isTold } from './rules.ts';

type Owner = ReturnType<typeof findOwner>['_']['result'][number];

/** Setting a phone of an account: one code at a time, for this account and number. */
export const toSetPhone = (userId: string, phone: string): Purpose => ({
  address: ['phone-change', userId],
  code: ['phone-change-code', userId, phone],
});

const same = { path: 'phone', rule: 'taken' } as const;

/** Sends a code to the new phone. The answer does not reveal whether another account has it. */
export const askForPhone = async (
  context: AuthenticatedContext,
  way: PhoneWay,
  attempt: Attempt,
): Promise<void> => {
  const { actor, login } = context;
  if (way.phone === login.loginPhone) throw new Failure('validation_failed', { issues: [same] });
  await sendCodeFor(context, way, toSetPhone(actor.userId, way.phone), attempt, { actor, what: 'change' });
};

/** What follows in the same batch: the other devices and the calendar addresses end, the owner is told by mail, and the phone before by a message. */
const consequences = async (
  { deps, actor, login, now, language }: AuthenticatedContext,
  writeId: string,
  told: string | null,
): Promise<Statement[]> => {
  const { db } = deps;
  const { userId, deviceLoginId } = actor;
  const mail = { userId, writeId, now, language, expiresAt: now + dayMs };
  return [
    endOthers(db, { userId, exceptId: deviceLoginId, now, writeId, reason: 'phone_changed' }),
    endFeeds(db, { id: userId, writeId }),
    ...(await forgetOrigins(deps, { name: nameOfOwner(login), writeId, now })),
    mailPhoneChange(db, { ...mail, mailId: deps.newId(), kind: 'login_phone_changed' }),
    ...(told === null
      ? []
      : [tellAddress(db, { ...mail, mailId: deps.newId(), kind: 'phone_released', address: `+${told}` })]),
  ];
};

/** The phone that is told by a message that it opens the account no longer; null where none is. */
const findTold = ({ deps, now }: AuthenticatedContext, { loginPhone, phoneProvedAt }: Owner) =>
  isTold(phoneProvedAt, now) && takesPhoneCodes(deps) ? loginPhone : null;

/** Statements that take the phone from an account which has not used it for long, and is not the same person's. */
const lapsing = (
  { deps, now, requestId }: AuthenticatedContext,
  holder: Owner | undefined,
  owner: Owner,
  tried: { phone: string; addresses: string; hashes: string },
  { network }: Attempt,
): Statement[] => {
  const given = owner.birthDate === null ? null : { name: owner.name, birthDate: owner.birthDate };
  if (holder === undefined || isStillHolder(holder, given, now)) return [];
  const { db } = deps;
  const writeId = deps.newId();
  const event = eventRow({ writeId, type: 'phone_released', userId: holder.id, network, requestId, now });
  return [
    recordLapse(db, { ...event, ...tried }),
    ...releasePhone(db, { userId: holder.id, phone: tried.phone, now, writeId }),
  ];
};

/**
 * The phone becomes the one that opens the account, by the code that was sent to it; a wrong try is counted in the same
 * step. Throws `phone_taken` where another account has it, which only its holder learns.
 */
export const proveNewPhone = async (
  context: AuthenticatedContext,
  way: PhoneWay,
  code: string,
  attempt: Attempt,
) => {
  const { deps, now, actor, requestId } = context;
  const { db } = deps;
  const { userId } = actor;
  const { phone } = way;
  const {
    owners: [owner],
    holders: [holder],
  } = await runAll(db, { owners: findOwner(db, { id: userId }), holders: findUserByPhone(db, { phone }) });
  if (owner === undefined) throw refusedToken();
  const tried = { ...(await hashesOfTyped(deps, toSetPhone(userId, phone), code)), phone };
  const told = findTold(context, owner);
  const event = eventRow({
    ...ownEvent(context, actor),
    type: 'phone_changed',
    network: attempt.network,
    ...(told !== null && { detail: tellsPhone }),
  });
  const { writeId } = event;
  const contact = contactAfter(owner, way);
  const profile = { ...owner, ...contact };
  const { recorded, right, taken } = await runAll(db, {
    lapsed: lapsing(context, holder, owner, tried, attempt),
    event: recordPhoneChange(db, { ...event, ...tried }),
    right: findLoginCode(db, { ...tried, now }),
    account: changePhone(db, {
      ...{ writeId, userId, phone, now },
      ...{ oldNumber: owner.phoneNumber, oldCode: owner.phoneCountryCode },
      ...{ newNumber: contact.phoneNumber, newCode: contact.phoneCountryCode },
    }),
    record: copyProfileToRecord(db, { id: userId, now }),
    words: [
      ...replaceWords(db, 'person', userId, personWords(profile), profileIsSet(userId, profile, writeId)),
    ],
    consequences: await consequences(context, writeId, told),
    webhookEvent: recordPatientEvent(
      db,
      { actorId: userId, role: actor.role, requestId, now },
      'patient.updated',
      writeId,
      userId,
    ),
    spent: spendRecordedCode(db, { addresses: tried.addresses, writeId }),
    wrong: countWrongCode(db, { ...tried, now }),
    matches: offerMatches(db, { userId, now }),
    recorded: findRecorded(db, { writeId }),
    taken: findUserByPhone(db, { phone }),
  });
  if (recorded.length === 0) {
    if (right.length === 0) throw new Failure('phone_code_invalid');
    // The login was ended while the code was on its way.
    throw taken.length > 0 ? new Failure('phone_taken') : refusedToken();
  }
  deps.eventsWritten();
  deps.background(sendDueMail(deps));
  const { phoneNumber: phone_number, phoneCountryCode: phone_country_code } = contact;
  return { contact: { phone_number, phone_country_code }, loginPhone: phone };
};

/** The account's phone opens it no longer. Throws `last_way_in` where nothing else does. */
export const takePhoneOff = async (context: AuthenticatedContext): Promise<void> => {
  const { deps, now, actor } = context;
  const { db } = deps;
  const { userId } = actor;
  const [owner] = await run(db, findOwner(db, { id: userId }));
  if (owner === undefined) throw refusedToken();
  if (owner.loginPhone === null) return;
  const told = findTold(context, owner);
  const detail = told === null ? {} : { detail: tellsPhone };
  const event = eventRow({ ...ownEvent(context, actor), type: 'phone_removed', ...detail });
  const { writeId } = event;
  const {
    recorded,
    after: [after],
  } = await runAll(db, {
    event: recordPhoneRemoval(db, { ...event, canMail: deps.mailer.reachesPeople === true ? 1 : 0 }),
    account: removePhone(db, { writeId, userId, now }),
    consequences: await consequences(context, writeId, told),
    recorded: findRecorded(db, { writeId }),
    after: findOwner(db, { id: userId }),
  });
  // Another request may have taken it off at the same time.
  if (recorded.length === 0 && after?.loginPhone !== null) throw new Failure('last_way_in');
  if (recorded.length > 0) deps.background(sendDueMail(deps));
};
