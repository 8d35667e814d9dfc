import type { Mount } from '../../handler.ts';
import { JsonText } from '../../http/respond.ts';
import { accountEmail } from '../rules.ts';
import { throttled, throttledWith } from '../throttle/throttled.ts';
import { assertRegistrable, findAccount, logIn, logOut, register } from './actions.ts';
import * as contract from './contract.ts';
import { deviceHeader } from './device-login.ts';
import { refresh } from './refresh.ts';
import { logInWithFactor } from './second-step.ts';

export const mountAuth = (mount: Mount): void => {
  mount(contract.Register, {
    answer: async (context) => {
      await assertRegistrable(context.deps, context.body);
      return context.deps.hasher.admit(() =>
        throttled(context, 'register', context.body.email, async (attempt) => ({
          status: 201,
          message: 'registered',
          data: await register(context, context.body, attempt),
          headers: await deviceHeader(context, accountEmail(context.body.email), null),
        })),
      );
    },
  });
  mount(contract.LogIn, {
    answer: (context) => {
      const account = accountEmail(context.body.email);
      const reads = [findAccount(context.deps, context.body)] as const;
      return context.deps.hasher.admit(() =>
        throttledWith(context, 'login', account, reads, async (attempt, [[user]]) => ({
          status: 200 as const,
          data: await logIn(context, context.body, attempt, user),
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
      throttled(context, 'refresh', context.body.refresh_token, async ({ network }) => ({
        status: 200,
        data: await refresh(context, context.body.refresh_token, network),
      })),
  });
  mount(contract.GetProfile, {
    answer: ({ login: { user, role, emailProvedAt } }) => ({
      status: 200,
      data: new JsonText(`{"user":${user},"role":"${role}","email_proved":${emailProvedAt !== null}}`),
    }),
  });
  mount(contract.LogOut, {
    answer: async (context) => {
      await logOut(context, context.actor);
      return { status: 200, message: 'logged_out' };
    },
  });
};
