import type { LiveLogin } from './context.ts';
import type { User } from './fields.ts';

/** The user of a device login, which only few requests look into. */
export const parseUser = ({ user }: Pick<LiveLogin, 'user'>): User => JSON.parse(user);

/** Whom a device login belongs to, as mails and checks of passwords want it. */
export const parseOwner = (login: Pick<LiveLogin, 'user'>) => {
  const { id, name, email } = parseUser(login);
  return { userId: id, name, email };
};
