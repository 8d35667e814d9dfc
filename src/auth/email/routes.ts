import type { Mount } from '../../handler.ts';
import { throttled } from '../throttle/throttled.ts';
import { sendEmailCode, verifyEmail } from './actions.ts';
import * as contract from './contract.ts';

export const mountEmail = (mount: Mount): void => {
  mount(contract.SendEmailCode, {
    answer: (ask) =>
      throttled(ask, 'email-code', ask.actor.userId, async (attempt) => {
        await sendEmailCode(ask, ask.actor, ask.login, attempt);
        return { status: 202, message: 'email_code_sent' };
      }),
  });
  mount(contract.VerifyEmail, {
    answer: (ask) =>
      throttled(ask, 'email-verify', ask.actor.userId, async (attempt) => {
        await verifyEmail(ask, ask.actor, ask.login, ask.body.code, attempt);
        return { status: 200, message: 'email_proved' };
      }),
  });
};
