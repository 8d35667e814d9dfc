import { assertSameOrigin } from '../../../core/http/pages/same-origin.ts';
import type { Mount } from '../../handler.ts';
import { accountEmail } from '../rules.ts';
import { throttled } from '../throttle/throttled.ts';
import { assertRegistrable, findAccount, logIn, logOut, register } from './actions.ts';
import * as contract from './contract.ts';
import { deviceHeader } from './device-login.ts';
import { pageAnswer } from './page-login.ts';
import { mountPageLogins } from './page-routes.ts';
import { refresh } from './refresh.ts';
import { logInWithFactor } from './second-step.ts';
import { loginView, profileView } from './views.ts';

export const mountAuth = (mount: Mount): void => {
  mount(contract.Register, {
    answer: async (context) => {
      const { app, remember } = context.body;
      if (app !== undefined) assertSameOrigin(context.header);
      await assertRegistrable(context.deps, context.body);
      return context.deps.hasher.admit(() =>
        throttled(context, { act: 'register', account: context.body.email }, async (attempt) => {
          const opened = await register(context, context.body, attempt);
          const headers = await deviceHeader(context, accountEmail(context.body.email), null);
          const shown =
            app === undefined
              ? { data: loginView(opened), headers }
              : pageAnswer(app, remember, opened, headers);
          return { status: 201, ...shown };
        }),
      );
    },
  });
  mount(contract.LogIn, {
    answer: (context) => {
      const account = accountEmail(context.body.email);
      const reads = { users: findAccount(context.deps, context.body) };
      return context.deps.hasher.admit(() =>
        throttled(context, { act: 'login', account, reads }, async (attempt, { users: [user] }) => ({
          status: 200 as const,
          data: loginView(await logIn(context, context.body, attempt, user)),
          headers: await deviceHeader(context, account, attempt.device),
        })),
      );
    },
  });
  mount(contract.LogInWithFactor, {
    answer: (context) => logInWithFactor(context, context.body),
  });
  mount(contract.Refresh, {
    answer: (context) =>
      throttled(context, { act: 'refresh', account: context.body.refresh_token }, async ({ network }) => ({
        status: 200,
        data: (await refresh(context, context.body.refresh_token, network)).tokens,
      })),
  });
  mount(contract.GetProfile, {
    answer: ({ deps, login }) => ({ status: 200, data: profileView(deps, login) }),
  });
  mount(contract.LogOut, {
    answer: async (context) => {
      await logOut(context, context.actor);
      return { status: 200 };
    },
  });
  mountPageLogins(mount);
};
