import { eventRow, recordSecurityEvent } from '../auth/audit/queries.ts';
import type { Author } from '../auth/audit/rules.ts';
import { sendDueMail } from '../auth/mail/send.ts';
import { assertGoodPassword } from '../auth/new-password.ts';
import { unusableHash } from '../auth/passwords/phc.ts';
import { insertAccount } from '../auth/queries.ts';
import { findDoctor } from '../catalog/slots/queries.ts';
import { violatedUnique } from '../db/conflict.ts';
import { run, runAll } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import type { BodyOf, Role } from '../endpoint/endpoint.ts';
import { Failure } from '../endpoint/errors.ts';
import type { Language } from '../endpoint/messages.ts';
import { replaceWords } from '../search/queries.ts';
import { personWords } from '../search/rules.ts';
import type { ChangeRole, InvitePerson } from './contract.ts';
import { type PasswordSetup, passwordSetup, takeOver } from './password-setup.ts';
import {
  countAdmins,
  endLogins,
  findPerson,
  type PersonRow,
  recordRoleChange,
  recordSetupAgain,
  updateRole,
} from './queries.ts';
import { isTakenOver } from './rules.ts';

const maxTries = 5;

const takenOver = { password: 'unset' };

export const patientView = (row: PersonRow) => ({
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
  created_at: new Date(row.createdAt).toISOString(),
});

const wrongDoctor = (rule: 'required' | 'not_found') =>
  new Failure('validation_failed', { issues: [{ path: 'doctor_id', rule }] });

/** The doctor that an account with this role is linked to; only doctors' accounts are. */
const linkedDoctor = async (deps: Deps, role: Role, doctorId: string | null | undefined) => {
  if (role !== 'doctor') return null;
  if (doctorId == null) throw wrongDoctor('required');
  const [doctor] = await run(deps.db, findDoctor(deps.db, { doctorId }));
  if (doctor === undefined) throw wrongDoctor('not_found');
  return doctor.id;
};

/** By whom a role is given, and in which language its holder is written to. */
interface RoleChange extends Author {
  language: Language;
}

/** The person, and how they come to a first password if they need one. */
const answerOf = (deps: Deps, person: PersonRow, setup: PasswordSetup | null) => {
  if (setup?.shown.by === 'mail') deps.background(sendDueMail(deps));
  return { data: personView(person), meta: { password_setup: setup?.shown ?? null } };
};

/** Makes an account for somebody of the clinic, with a password that nobody knows unless one is given. */
export const invitePerson = async (
  deps: Deps,
  { language, ...author }: RoleChange,
  input: BodyOf<typeof InvitePerson>,
) => {
  const { password } = input;
  const { now } = author;
  if (password !== undefined) assertGoodPassword(deps, { password, password_confirmation: password }, input);
  const person = {
    id: deps.newId(),
    name: input.name,
    phoneNumber: input.phone_number,
    phoneCountryCode: input.phone_country_code,
    email: input.email,
    role: input.role,
    doctorId: await linkedDoctor(deps, input.role, input.doctor_id),
    invitedAt: now,
    passwordUnsetAt: password === undefined ? now : null,
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
      ...insertAccount(deps.db, user),
      recordSecurityEvent(deps.db, event),
      ...(setup?.statements ?? []),
      ...replaceWords(deps.db, 'person', user.id, personWords(user)),
    ]);
  } catch (error) {
    if (violatedUnique(error) === 'users.email') throw new Failure('email_taken');
    throw error;
  }
  return answerOf(deps, person, setup);
};

/** Another way to a first password, for somebody who has not set one yet. */
const setUpAgain = async (deps: Deps, { language, ...author }: RoleChange, person: PersonRow) => {
  const { id: userId } = person;
  const writeId = deps.newId();
  const setup = await passwordSetup(deps, { userId, writeId, language, now: author.now });
  const event = eventRow({ writeId, type: 'password_setup_sent', userId, ...author });
  await runAll(deps.db, [recordSetupAgain(deps.db, event), ...setup.statements]);
  return answerOf(deps, person, setup);
};

/**
 * Gives a person another role and ends their logins, in one step; decides again when it changed meanwhile. Rights on an
 * account that its owner registered begin with a new password: the e-mail may have been a stranger's choice.
 */
export const changeRole = async (
  deps: Deps,
  change: RoleChange,
  id: string,
  input: BodyOf<typeof ChangeRole>,
) => {
  const { db } = deps;
  const { language, ...author } = change;
  const { now } = author;
  for (let tries = 1; tries <= maxTries; tries++) {
    const [before] = await run(db, findPerson(db, { id }));
    if (before === undefined) throw new Failure('not_found');
    const role = input.role ?? before.role;
    const doctorId = await linkedDoctor(deps, role, input.doctor_id ?? before.doctorId);
    if (role === before.role && doctorId === before.doctorId) {
      const asksAgain = input.role !== undefined && role !== 'patient' && before.passwordUnsetAt !== null;
      return asksAgain ? setUpAgain(deps, change, before) : answerOf(deps, before, null);
    }
    const writeId = deps.newId();
    const takes = isTakenOver(before, role);
    const detail = { from: before.role, to: role, doctor_id: doctorId, ...(takes && takenOver) };
    const event = eventRow({ writeId, type: 'role_changed', userId: id, ...author, detail });
    const requested = { before_role: before.role, before_doctor: before.doctorId, role, doctor_id: doctorId };
    const setup = takes ? await takeOver(deps, { userId: id, writeId, language, now }) : null;
    const [, [after], , [admins]] = await runAll(db, [
      recordRoleChange(db, { ...event, ...requested }),
      updateRole(db, { id, role, doctorId, now, writeId }),
      endLogins(db, { id, now, writeId }),
      countAdmins(db, {}),
      ...(setup?.statements ?? []),
    ]);
    if (after !== undefined) {
      const passwordUnsetAt = takes ? now : after.passwordUnsetAt;
      return answerOf(deps, { ...after, passwordUnsetAt }, setup);
    }
    if (before.role === 'admin' && role !== 'admin' && admins?.count === 1) throw new Failure('last_admin');
  }
  throw new Failure('unavailable');
};
