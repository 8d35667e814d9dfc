import type { Config } from '../../core/settings/config.ts';
import type { LiveLogin } from './context.ts';
import type { User } from './fields.ts';
import { accountName, mustUseSso } from './rules.ts';

/** The user of a device login, which only few requests look into. */
export const parseUser = ({ user }: Pick<LiveLogin, 'user'>): User => JSON.parse(user);

/** The owner of a device login, with the fields that mails and password checks need. */
export const parseOwner = (login: Pick<LiveLogin, 'user'>) => {
  const { id, name, email } = parseUser(login);
  return { userId: id, name, email };
};

/** How an app or a browser names the account of the owner. */
export const labelOfOwner = (login: Pick<LiveLogin, 'user'>): string => {
  const { email, name } = parseUser(login);
  return email ?? name;
};

/** The name under which the limits and the known devices of the owner are kept. */
export const nameOfOwner = (login: Pick<LiveLogin, 'user'>): string => accountName(parseUser(login));

/** Whether the clinic has the owner use their work account in place of a password. */
export const passwordIsOff = (config: Config, login: Pick<LiveLogin, 'user' | 'role'>): boolean =>
  login.role !== 'patient' && mustUseSso(config, { role: login.role, email: parseUser(login).email });
