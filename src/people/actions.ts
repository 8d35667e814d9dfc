import { eventRow, recordSecurityEvent } from '../auth/audit/queries.ts';
import { assertGoodPassword } from '../auth/new-password.ts';
import { unusableHash } from '../auth/passwords/phc.ts';
import { insertUser } from '../auth/queries.ts';
import { findDoctor } from '../booking/catalog/queries.ts';
import { violatedUnique } from '../db/conflict.ts';
import { run, runAll } from '../db/db.ts';
import type { Deps } from '../deps.ts';
import type { BodyOf, Role } from '../endpoint.ts';
import { Failure, type FieldRule } from '../errors.ts';
import { replaceWords } from '../search/queries.ts';
import { personWords } from '../search/rules.ts';
import type { ChangeRole, InvitePerson } from './contract.ts';
import {
  countAdmins,
  endLogins,
  findPerson,
  type PersonRow,
  recordRoleChange,
  updateRole,
} from './queries.ts';

const mostTries = 5;

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
  created_at: new Date(row.createdAt).toISOString(),
});

const wrongDoctor = (rule: FieldRule) =>
  new Failure('validation_failed', { issues: [{ path: 'doctor_id', rule }] });

/** The doctor that an account with this role is linked to; only doctors' accounts are. */
const linkedDoctor = async (deps: Deps, role: Role, doctorId: string | null | undefined) => {
  if (role !== 'doctor') return null;
  if (doctorId == null) throw wrongDoctor('required');
  const [doctor] = await run(deps.db, findDoctor(deps.db, { doctorId }));
  if (doctor === undefined) throw wrongDoctor('not_found');
  return doctor.id;
};

/** By whom a role is given, null for the command line. */
export interface RoleChange {
  actorId: string | null;
  requestId: string | null;
  now: number;
}

/** Makes an account for somebody of the clinic, with a password that nobody knows unless one is given. */
export const invitePerson = async (
  deps: Deps,
  { actorId, requestId, now }: RoleChange,
  wish: BodyOf<typeof InvitePerson>,
) => {
  const { password } = wish;
  if (password !== undefined) assertGoodPassword(deps, { password, password_confirmation: password }, wish);
  const person = {
    id: deps.newId(),
    name: wish.name,
    phoneNumber: wish.phone_number,
    phoneCountryCode: wish.phone_country_code,
    email: wish.email,
    role: wish.role,
    doctorId: await linkedDoctor(deps, wish.role, wish.doctor_id),
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
    actorId,
    requestId,
    now,
    detail,
  };
  try {
    await runAll(deps.db, [
      insertUser(deps.db, user),
      recordSecurityEvent(deps.db, event),
      ...replaceWords(deps.db, 'person', user.id, personWords(user)),
    ]);
  } catch (error) {
    if (violatedUnique(error) === 'users.email') throw new Failure('email_taken');
    throw error;
  }
  return personView(person);
};

/** Gives a person another role and ends their logins, in one step; decides again when it changed meanwhile. */
export const changeRole = async (
  deps: Deps,
  { actorId, requestId, now }: RoleChange,
  id: string,
  wish: BodyOf<typeof ChangeRole>,
) => {
  const { db } = deps;
  for (let tries = 1; tries <= mostTries; tries++) {
    const [before] = await run(db, findPerson(db, { id }));
    if (before === undefined) throw new Failure('not_found');
    const role = wish.role ?? before.role;
    const doctorId = await linkedDoctor(deps, role, wish.doctor_id ?? before.doctorId);
    if (role === before.role && doctorId === before.doctorId) return personView(before);
    const writeId = deps.newId();
    const detail = { from: before.role, to: role, doctor_id: doctorId };
    const event = eventRow({ writeId, type: 'role_changed', userId: id, actorId, requestId, now, detail });
    const wished = { before_role: before.role, before_doctor: before.doctorId, role, doctor_id: doctorId };
    const [, [after], , [admins]] = await runAll(db, [
      recordRoleChange(db, { ...event, ...wished }),
      updateRole(db, { id, role, doctorId, now, writeId }),
      endLogins(db, { id, now, writeId }),
      countAdmins(db, {}),
    ]);
    if (after !== undefined) return personView(after);
    if (before.role === 'admin' && role !== 'admin' && admins?.count === 1) throw new Failure('last_admin');
  }
  throw new Failure('unavailable');
};
