import { messages } from '../../../core/endpoint/messages.ts';
import { minutesInWords, say } from '../../../core/endpoint/sentences.ts';
import type { Mount } from '../../handler.ts';
import { findAccount } from '../login/actions.ts';
import { deviceHeader } from '../login/device-login.ts';
import { pageAnswer, pageRequest } from '../login/page-login.ts';
import { loginView } from '../login/views.ts';
import { findDevice, throttled } from '../throttle/throttled.ts';
import { assertLoginByCode, logInByCode, sendLoginCode } from './actions.ts';
import * as contract from './contract.ts';
import { loginCodeTtlMinutes } from './rules.ts';

const codeSent = () => say(messages.login_code_sent, { lifetime: minutesInWords(loginCodeTtlMinutes) });

export const mountLoginCodes = (mount: Mount): void => {
  mount(contract.SendLoginCode, {
    answer: async (context) => {
      assertLoginByCode(context.deps);
      const { email } = context.body;
      return throttled(context, { act: 'login-code', account: email }, async (attempt) => {
        await sendLoginCode(context, email, attempt);
        return { status: 202, message: codeSent() };
      });
    },
  });
  mount(contract.LogInByCode, {
    answer: async (request) => {
      const { deps, body } = request;
      assertLoginByCode(deps);
      const { app, remember, email } = body;
      const context = app === undefined ? request : pageRequest(request, app);
      const reads = { users: findAccount(deps, body) };
      return throttled(context, { act: 'login-code-verify', account: email, reads }, async (origin, rows) => {
        const device = (await findDevice(context, email))?.id ?? null;
        const opened = await logInByCode(context, body, { ...origin, device }, rows.users[0]);
        const headers = await deviceHeader(context, email, device);
        const shown =
          app === undefined
            ? { data: loginView(opened), headers }
            : pageAnswer(app, remember, opened, headers);
        return { status: 200 as const, ...shown };
      });
    },
  });
};
