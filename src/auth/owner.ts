import type { LiveLogin } from './context.ts';

/** What the interface calls a user, as the database gives it with a device login. */
interface User {
  id: string;
  name: string;
  phone_number: string;
  phone_country_code: string;
  email: string;
  device_id: string;
}

/** The user of a device login, which only few requests look into. */
export const userOf = ({ user }: Pick<LiveLogin, 'user'>): User => JSON.parse(user);

/** Whom a device login belongs to, as mails and checks of passwords want it. */
export const ownerOf = (login: Pick<LiveLogin, 'user'>) => {
  const { id, name, email } = userOf(login);
  return { userId: id, name, email };
};
