import { Failure } from '../../core/endpoint/errors.ts';
import type { RequestContext } from '../../core/http/context.ts';
import { hostCookie, hostCookieIn } from '../../core/http/pages/cookies.ts';
import { deviceHeader } from '../auth/login/device-login.ts';
import { pageAnswer, pageRequest } from '../auth/login/page-login.ts';
import { accountName } from '../auth/rules.ts';
import { findDevice, throttled } from '../auth/throttle/throttled.ts';
import type { Mount } from '../handler.ts';
import { openBegun, openBySso, sealBegun } from './actions.ts';
import { assertConfirmable, beginConfirmation, confirmBySso } from './confirm.ts';
import * as contract from './contract.ts';
import { beginAtIssuer, finishAtIssuer, hasIssuer } from './issuer.ts';
import { ssoTtlMs } from './rules.ts';

const cookie = 'janji-sso';

/** The request of the console; throws `not_found` where the clinic has no provider. */
const consoleRequest = <C extends RequestContext>(context: C): C => {
  if (!hasIssuer(context.deps.config)) throw new Failure('not_found');
  return pageRequest(context, 'konsol');
};

const counted = (context: RequestContext, account = context.clientAddress()) => ({
  act: 'sso' as const,
  account,
});

export const mountSso = (mount: Mount): void => {
  mount(contract.BeginSso, {
    answer: (context) => {
      const request = consoleRequest(context);
      const { deps, now } = request;
      return throttled(request, counted(request), async () => {
        const { url, begun } = await beginAtIssuer(deps, now);
        const sealed = await sealBegun(deps, begun, now);
        return { status: 200, data: { url }, cookies: [hostCookie(cookie, sealed, ssoTtlMs / 1000)] };
      });
    },
  });
  mount(contract.FinishSso, {
    answer: (context) => {
      const request = consoleRequest(context);
      const { deps, now, header, body } = request;
      return throttled(request, counted(request), async (attempt) => {
        const begun = await openBegun(deps, hostCookieIn(header('Cookie'), cookie), now);
        if (begun === null) throw new Failure('sso_failed');
        const person = await finishAtIssuer(deps, now, body.response, begun);
        const device = person === null ? null : ((await findDevice(request, person.email))?.id ?? null);
        const opened = await openBySso(request, person, { ...attempt, device });
        const headers = await deviceHeader(request, accountName(opened.user), device);
        const { data, cookies = [] } = pageAnswer('konsol', false, opened, headers);
        return { status: 200, data, cookies: [...cookies, hostCookie(cookie, '', 0)] };
      });
    },
  });
  mount(contract.BeginSsoConfirmation, {
    answer: (context) => {
      assertConfirmable(context);
      return throttled(context, counted(context, context.actor.userId), async () => ({
        status: 200,
        data: await beginConfirmation(context),
      }));
    },
  });
  mount(contract.FinishSsoConfirmation, {
    answer: (context) => {
      assertConfirmable(context);
      return throttled(context, counted(context, context.actor.userId), async (attempt) => {
        await confirmBySso(context, attempt);
        return { status: 200 };
      });
    },
  });
};
