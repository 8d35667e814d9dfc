import type { Deps } from '../../../core/deps.ts';
import type { Role } from '../../../core/endpoint/endpoint.ts';
import type { OutputOf } from '../../../core/endpoint/lazy-shape.ts';
import { JsonText } from '../../../core/http/respond.ts';
import type { LiveLogin } from '../context.ts';
import { profileFields, type User } from '../fields.ts';
import { passwordIsOff } from '../owner.ts';
import type { NewUser } from '../queries.ts';
import { confirmsBySso } from '../rules.ts';
import type * as contract from './contract.ts';

type UserRow = Pick<NewUser, 'name' | 'phoneNumber' | 'phoneCountryCode' | 'email' | 'deviceId'>;

/** A user as the API shows it. */
export const publicUser = (id: string, user: UserRow): User => profileFields.view({ ...user, id });

type Login = OutputOf<typeof contract.Login>;

/** A device login that was opened or renewed: its user, and its tokens. */
export interface Opened {
  user: Login['user'];
  role: Role;
  emailProved: boolean;
  tokens: Omit<Login, 'user'>;
}

export const toOpened = (
  id: string,
  user: UserRow & { role: Role; emailProvedAt?: number | null | undefined },
  tokens: Opened['tokens'],
): Opened => ({
  user: publicUser(id, user),
  role: user.role,
  emailProved: typeof user.emailProvedAt === 'number',
  tokens,
});

/** The answer to a login by a program that stores its tokens itself. */
export const loginView = ({ user, tokens }: Opened): Login => ({ user, ...tokens });

/** A proved phone as the API shows it: in E.164. */
export const shownPhone = (loginPhone: string | null): string | null =>
  loginPhone === null ? null : `+${loginPhone}`;

/** The person of a login and how they get in, as the API shows it: as JSON text, since the user comes as such. */
export const profileView = ({ config }: Pick<Deps, 'config'>, login: LiveLogin): JsonText => {
  const { user, role, emailProvedAt, loginPhone, passwordUnsetAt } = login;
  const hasPassword = passwordUnsetAt === null && !passwordIsOff(config, login);
  return new JsonText(
    `{"user":${user},"role":"${role}","email_proved":${emailProvedAt !== null},"login_phone":${JSON.stringify(shownPhone(loginPhone))},"has_password":${hasPassword},"confirms_by_sso":${confirmsBySso(config, login)}}`,
  );
};
