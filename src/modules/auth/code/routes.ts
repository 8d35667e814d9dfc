import { messages } from '../../../core/endpoint/messages.ts';
import { minutesInWords, say } from '../../../core/endpoint/sentences.ts';
import type { Mount } from '../../handler.ts';
import { deviceHeader } from '../login/device-login.ts';
import { pageAnswer, pageRequest } from '../login/page-login.ts';
import { loginView } from '../login/views.ts';
import { accountName } from '../rules.ts';
import { findDevice, throttled } from '../throttle/throttled.ts';
import { findAccountByWay, logInByCode } from './actions.ts';
import * as contract from './contract.ts';
import { loginCodeTtlMinutes } from './rules.ts';
import { sendCodeFor, toLogIn } from './send.ts';
import { countedFor, toWay, type Way } from './way.ts';

const codeSent = ({ by }: Way) =>
  say(by === 'mail' ? messages.login_code_sent : messages.phone_code_sent, {
    lifetime: minutesInWords(loginCodeTtlMinutes),
  });

export const mountLoginCodes = (mount: Mount): void => {
  mount(contract.SendLoginCode, {
    answer: async (context) => {
      const way = toWay(context.deps, context.body);
      const act = way.by === 'mail' ? 'login-code' : 'phone-code';
      return throttled(context, { act, account: countedFor(way) }, async (attempt) => {
        await sendCodeFor(context, way, toLogIn(way), attempt);
        return { status: 202, message: codeSent(way) };
      });
    },
  });
  mount(contract.LogInByCode, {
    answer: async (request) => {
      const { deps, body } = request;
      const way = toWay(deps, body);
      const { app, remember } = body;
      const context = app === undefined ? request : pageRequest(request, app);
      const reads = { users: findAccountByWay(deps, way) };
      const counted = { act: 'login-code-verify' as const, account: countedFor(way), reads };
      return throttled(context, counted, async (origin, { users: [user] }) => {
        const name = user === undefined ? countedFor(way) : accountName(user);
        const device = (await findDevice(context, name))?.id ?? null;
        const opened = await logInByCode(context, way, body, { ...origin, device }, user);
        const headers = await deviceHeader(context, accountName(opened.user), device);
        const shown =
          app === undefined
            ? { data: loginView(opened), headers }
            : pageAnswer(app, remember, opened, headers);
        return { status: 200 as const, ...shown };
      });
    },
  });
};
