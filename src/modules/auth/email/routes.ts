import { Failure } from '../../../core/endpoint/errors.ts';
import type { Mount } from '../../handler.ts';
import type { Addressee } from '../mail/email-code.ts';
import { parseOwner } from '../owner.ts';
import { throttled } from '../throttle/throttled.ts';
import { sendEmailCode, verifyEmail } from './actions.ts';
import * as contract from './contract.ts';

/** The owner with the e-mail to prove; throws `email_missing` where the account has none. */
const withEmail = (owner: ReturnType<typeof parseOwner>): Addressee => {
  const { userId, email } = owner;
  if (email === null) throw new Failure('email_missing');
  return { userId, email };
};

export const mountEmail = (mount: Mount): void => {
  mount(contract.SendEmailCode, {
    answer: (context) =>
      throttled(context, { act: 'email-code', account: context.actor.userId }, async (attempt) => {
        await sendEmailCode(context, context.actor, withEmail(parseOwner(context.login)), attempt);
        return { status: 202 };
      }),
  });
  mount(contract.VerifyEmail, {
    answer: (context) =>
      throttled(context, { act: 'email-verify', account: context.actor.userId }, async (attempt) => {
        await verifyEmail(
          context,
          context.actor,
          withEmail(parseOwner(context.login)),
          context.body.code,
          attempt,
        );
        return { status: 200 };
      }),
  });
};
