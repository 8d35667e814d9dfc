import type { LiveLogin } from './context.ts';
import type { User } from './fields.ts';

/** The user of a device login, which only few requests look into. */
export const parseUser = ({ user }: Pick<LiveLogin, 'user'>): User => JSON.parse(user);

/** The owner of a device login, with the fields that mails and password checks need. */
export const parseOwner = (login: Pick<LiveLogin, 'user'>) => {
  const { id, name, email } = parseUser(login);
  return { userId: id, name, email };
};
