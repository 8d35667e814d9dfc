import type { Mount } from '../../handler.ts';
import { publicUser } from '../login/views.ts';
import { throttled } from '../throttle/throttled.ts';
import { sendEmailCode, verifyEmail } from './actions.ts';
import { askForEmail, proveNewEmail } from './change.ts';
import * as contract from './contract.ts';

export const mountEmail = (mount: Mount): void => {
  mount(contract.SendEmailCode, {
    answer: (context) =>
      throttled(context, 'email-code', context.actor.userId, async (attempt) => {
        await sendEmailCode(context, context.actor, context.login, attempt);
        return { status: 202, message: 'email_code_sent' };
      }),
  });
  mount(contract.VerifyEmail, {
    answer: (context) =>
      throttled(context, 'email-verify', context.actor.userId, async (attempt) => {
        await verifyEmail(context, context.actor, context.login, context.body.code, attempt);
        return { status: 200, message: 'email_proved' };
      }),
  });
  mount(contract.ChangeEmail, {
    answer: (context) =>
      throttled(context, 'email-code', context.actor.userId, async (attempt) => {
        await askForEmail(context, context.body.email, attempt);
        return { status: 202, message: 'email_change_sent' };
      }),
  });
  mount(contract.ProveNewEmail, {
    answer: (context) =>
      throttled(context, 'email-verify', context.actor.userId, async (attempt) => {
        const email = await proveNewEmail(context, context.body.code, attempt);
        const { login, actor } = context;
        const user = publicUser(actor.userId, { ...login, email });
        return {
          status: 200,
          message: 'email_changed',
          data: { user, role: actor.role, email_proved: true },
        };
      }),
  });
};
