import type { Mount } from '../handler.ts';
import { assertRegistrable, logIn, logOut, register } from './actions.ts';
import * as contract from './contract.ts';
import { refresh } from './refresh.ts';
import { accountEmail } from './rules.ts';
import { throttled } from './throttle/throttled.ts';
import { publicUser } from './views.ts';

export const mountAuth = (mount: Mount): void => {
  mount(contract.Register, {
    answer: (ask) => {
      assertRegistrable(ask.deps, ask.body);
      return ask.deps.hasher.admit(() =>
        throttled(ask, 'register', ask.body.email, async (attempt) => ({
          status: 201,
          message: 'registered',
          data: await register(ask, ask.body, attempt),
        })),
      );
    },
  });
  mount(contract.LogIn, {
    answer: (ask) =>
      ask.deps.hasher.admit(() =>
        throttled(ask, 'login', accountEmail(ask.body.email), async (attempt) => ({
          status: 200,
          data: await logIn(ask, ask.body, attempt),
        })),
      ),
  });
  mount(contract.Refresh, {
    answer: (ask) =>
      throttled(ask, 'refresh', ask.body.refresh_token, async ({ network }) => ({
        status: 200,
        data: await refresh(ask, ask.body.refresh_token, network),
      })),
  });
  mount(contract.GetProfile, {
    answer: ({ login, actor }) => ({
      status: 200,
      data: { user: publicUser(actor.userId, login), role: actor.role },
    }),
  });
  mount(contract.LogOut, {
    answer: async (ask) => {
      await logOut(ask, ask.actor);
      return { status: 200, message: 'logged_out' };
    },
  });
};
