import { violatedUnique } from '../../core/db/conflict.ts';
import { run, runAll } from '../../core/db/db.ts';
import { decideAgain, overtaken } from '../../core/db/decide-again.ts';
import type { Deps } from '../../core/deps.ts';
import type { BodyOf, Role } from '../../core/endpoint/endpoint.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { toIso } from '../../core/endpoint/instants.ts';
import type { Language } from '../../core/endpoint/messages.ts';
import type { ResponseToStore } from '../../core/idempotency/key.ts';
import { storeOnly } from '../../core/idempotency/queries.ts';
import { eventRow, recordSecurityEvent } from '../auth/audit/queries.ts';
import type { Author } from '../auth/audit/rules.ts';
import { endFeeds } from '../auth/feed-queries.ts';
import { sendDueMail } from '../auth/mail/send.ts';
import { assertGoodPassword } from '../auth/new-password.ts';
import { unusableHash } from '../auth/passwords/phc.ts';
import { phoneIn } from '../auth/phone.ts';
import { insertAccount } from '../auth/queries.ts';
import { accountName } from '../auth/rules.ts';
import { findDoctor } from '../catalog/slots/queries.ts';
import type { ChangeRole, InvitePerson } from './contract.ts';
import { type PasswordSetup, passwordSetup, takeOver } from './password-setup.ts';
import {
  countOtherAdmins,
  endLogins,
  findPerson,
  type PersonRow,
  recordRoleChange,
  recordSetupAgain,
  updateRole,
} from './queries.ts';
import { isTakenOver } from './rules.ts';

const takenOver = { password: 'unset' };

const patientView = (row: PersonRow) => ({
  id: row.id,
  name: row.name,
  phone_number: row.phoneNumber,
  phone_country_code: row.phoneCountryCode,
  email: row.email,
});

export const personView = (row: PersonRow) => ({
  ...patientView(row),
  role: row.role,
  doctor_id: row.doctorId,
  password_set: row.passwordUnsetAt === null,
  second_factor: row.secondFactorAt !== null,
  active: row.deactivatedAt === null,
  created_at: toIso(row.createdAt),
});

const wrongDoctor = (rule: 'required' | 'not_found') =>
  new Failure('validation_failed', { issues: [{ path: 'doctor_id', rule }] });

/** The doctor to whom an account with this role is linked; null for other roles than `doctor`. */
const linkedDoctor = async (deps: Deps, role: Role, doctorId: string | null | undefined) => {
  if (role !== 'doctor') return null;
  if (doctorId == null) throw wrongDoctor('required');
  const [doctor] = await run(deps.db, findDoctor(deps.db, { doctorId }));
  if (doctor === undefined) throw wrongDoctor('not_found');
  return doctor.id;
};

/** The admin who gives a role, and the language of the mail to the person who gets it. */
interface RoleChange extends Author {
  language: Language;
}

/** The person, and how they can set a first password if they need one. */
const buildAnswer = (deps: Deps, person: PersonRow, setup: PasswordSetup | null) => {
  if (setup?.shown.by === 'mail') deps.background(sendDueMail(deps));
  return { data: personView(person), meta: { password_setup: setup?.shown ?? null } };
};

/** Creates an account for a person who works at the clinic; without a given password it has none. */
export const invitePerson = async (
  deps: Deps,
  { language, ...author }: RoleChange,
  input: BodyOf<typeof InvitePerson>,
  toStoredResponse: ResponseToStore,
) => {
  const { password } = input;
  const { now } = author;
  if (password !== undefined)
    await assertGoodPassword(deps, { password, password_confirmation: password }, input);
  const person = {
    id: deps.newId(),
    name: input.name,
    ...phoneIn(input),
    email: input.email,
    role: input.role,
    doctorId: await linkedDoctor(deps, input.role, input.doctor_id),
    invitedAt: now,
    passwordUnsetAt: password === undefined ? now : null,
    secondFactorAt: null,
    deactivatedAt: null,
    createdAt: now,
  };
  const passwordHash = password === undefined ? unusableHash() : await deps.hasher.hash(password);
  const user = { ...person, deviceId: '', passwordHash, updatedAt: now };
  const detail = { from: null, to: person.role, doctor_id: person.doctorId };
  const writeId = deps.newId();
  const event = {
    writeId,
    type: 'role_changed' as const,
    userId: person.id,
    ...author,
    detail,
  };
  const setUp = { userId: person.id, writeId, language, now };
  const setup = password === undefined ? await passwordSetup(deps, setUp) : null;
  try {
    await runAll(deps.db, [
      recordSecurityEvent(deps.db, event),
      // Before the account: the e-mail of a repeat is taken, by the request that it repeats.
      ...storeOnly(deps.db, event, toStoredResponse({ status: 201 })),
      ...insertAccount(deps.db, user),
      ...(setup?.statements ?? []),
    ]);
  } catch (error) {
    if (violatedUnique(error) === 'users.email') throw new Failure('email_taken');
    throw error;
  }
  return buildAnswer(deps, person, setup);
};

/** Makes a new link or mail for somebody who has not set a first password yet. */
const setUpAgain = async (deps: Deps, { language, ...author }: RoleChange, person: PersonRow) => {
  const { id: userId } = person;
  const writeId = deps.newId();
  const setup = await passwordSetup(deps, { userId, writeId, language, now: author.now });
  const event = eventRow({ writeId, type: 'password_setup_sent', userId, ...author });
  await runAll(deps.db, [recordSetupAgain(deps.db, event), ...setup.statements]);
  return buildAnswer(deps, person, setup);
};

/**
 * Changes a person's role and ends their logins in one step; decides again if the role changed in the meantime. A
 * self-registered account that gets rights must set a new password: a stranger may have registered it.
 */
export const changeRole = (deps: Deps, change: RoleChange, id: string, input: BodyOf<typeof ChangeRole>) => {
  const { db } = deps;
  const { language, ...author } = change;
  const { now } = author;
  return decideAgain(async () => {
    const [before] = await run(db, findPerson(db, { id }));
    if (before === undefined) throw new Failure('not_found');
    const role = input.role ?? before.role;
    const doctorId = await linkedDoctor(deps, role, input.doctor_id ?? before.doctorId);
    if (role === before.role && doctorId === before.doctorId) {
      const asksAgain = input.role !== undefined && role !== 'patient' && before.passwordUnsetAt !== null;
      return asksAgain ? setUpAgain(deps, change, before) : buildAnswer(deps, before, null);
    }
    const writeId = deps.newId();
    // People who work here log in by an e-mail, and never by a code to a phone.
    if (before.email === null && role !== 'patient') throw new Failure('email_missing');
    const takes = isTakenOver(before, role);
    const detail = { from: before.role, to: role, doctor_id: doctorId, ...(takes && takenOver) };
    const event = eventRow({ writeId, type: 'role_changed', userId: id, ...author, detail });
    const requested = { beforeRole: before.role, beforeDoctor: before.doctorId, role, doctorId };
    const setup = takes
      ? await takeOver(deps, { userId: id, writeId, language, now }, accountName(before))
      : null;
    const {
      after: [after],
      admins: [admins],
    } = await runAll(db, {
      event: recordRoleChange(db, { ...event, ...requested }),
      after: updateRole(db, { id, role, doctorId, now, writeId }),
      logins: endLogins(db, { id, now, writeId, reason: 'role_changed' }),
      feeds: endFeeds(db, { id, writeId }),
      admins: countOtherAdmins(db, { id }),
      setup: setup?.statements ?? [],
    });
    if (after !== undefined) {
      const passwordUnsetAt = takes ? now : after.passwordUnsetAt;
      const secondFactorAt = takes ? null : after.secondFactorAt;
      return buildAnswer(deps, { ...after, passwordUnsetAt, secondFactorAt }, setup);
    }
    if (before.role === 'admin' && role !== 'admin' && admins?.count === 0) throw new Failure('last_admin');
    return overtaken;
  });
};
