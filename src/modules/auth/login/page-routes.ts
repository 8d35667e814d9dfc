import { Failure } from '../../../core/endpoint/errors.ts';
import type { Mount } from '../../handler.ts';
import { accountEmail } from '../rules.ts';
import { throttled } from '../throttle/throttled.ts';
import { findAccount, logIn, logOut } from './actions.ts';
import { deviceHeader } from './device-login.ts';
import * as contract from './page-contract.ts';
import { clearedCookie, heldLogin, pageAnswer, pageRequest } from './page-login.ts';
import { loginOfPage, refresh } from './refresh.ts';

/** An ended login is the same as none: starting a page without one is not an error. */
const nobodyIfRefused = (error: unknown): null => {
  if (error instanceof Failure && error.code === 'unauthenticated') return null;
  throw error;
};

export const mountPageLogins = (mount: Mount): void => {
  mount(contract.LogInOnPage, {
    answer: (context) => {
      const { app, email, remember } = context.body;
      const request = pageRequest(context, app);
      const account = accountEmail(email);
      const reads = { users: findAccount(context.deps, context.body) };
      return context.deps.hasher.admit(() =>
        throttled(request, { act: 'login', account, reads }, async (attempt, { users: [user] }) => ({
          status: 200 as const,
          ...pageAnswer(
            app,
            remember,
            await logIn(request, context.body, attempt, user),
            await deviceHeader(context, account, attempt.device),
          ),
        })),
      );
    },
  });
  mount(contract.RefreshOnPage, {
    answer: async (context) => {
      const { app } = context.body;
      const request = pageRequest(context, app);
      const held = heldLogin(request, app);
      if (held === null) return { status: 200, data: null };
      return throttled(request, { act: 'refresh', account: held.token }, async ({ network }) => {
        const opened = await refresh(request, held.token, network).catch(nobodyIfRefused);
        return opened === null
          ? { status: 200, data: null, cookies: [clearedCookie(app)] }
          : { status: 200, ...pageAnswer(app, held.isRemembered, opened) };
      });
    },
  });
  mount(contract.LogOutOnPage, {
    answer: async (context) => {
      const { app } = context.body;
      const request = pageRequest(context, app);
      const login = await loginOfPage(request, heldLogin(request, app)?.token);
      if (login !== null) await logOut(context, login);
      return { status: 200, cookies: [clearedCookie(app)] };
    },
  });
};
