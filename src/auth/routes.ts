import type { Mount } from '../http/mount.ts';
import { logIn, logOut, publicUser, register } from './actions.ts';
import * as contract from './contract.ts';

const userAgentOf = (header: (name: string) => string | undefined) =>
  (header('User-Agent') ?? '').slice(0, 255);

export const mountAuth = (mount: Mount): void => {
  mount(contract.Register, {
    answer: async ({ deps, body, header }) => ({
      status: 201,
      message: 'registered',
      data: await register(deps, body, userAgentOf(header)),
    }),
  });
  mount(contract.LogIn, {
    answer: async ({ deps, body, header }) => ({
      status: 200,
      data: await logIn(deps, body, userAgentOf(header)),
    }),
  });
  mount(contract.GetProfile, {
    answer: ({ login, actor }) => ({
      status: 200,
      data: { user: publicUser(actor.userId, login), role: actor.role },
    }),
  });
  mount(contract.LogOut, {
    answer: async ({ deps, actor }) => {
      await logOut(deps, actor);
      return { status: 200, message: 'logged_out' };
    },
  });
};
