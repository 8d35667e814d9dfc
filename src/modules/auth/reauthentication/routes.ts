import { messages } from '../../../core/endpoint/messages.ts';
import { minutesInWords, say } from '../../../core/endpoint/sentences.ts';
import type { Mount } from '../../handler.ts';
import { loginCodeTtlMinutes } from '../code/rules.ts';
import { findPasskeys } from '../factors/passkey-queries.ts';
import { beginConfirmation } from '../factors/passkeys.ts';
import { findFactors } from '../factors/queries.ts';
import { reauthenticate } from './actions.ts';
import { sendConfirmationCode } from './code.ts';
import * as contract from './contract.ts';

const codeSent = () =>
  say(messages.confirmation_code_sent, { lifetime: minutesInWords(loginCodeTtlMinutes) });

export const mountReauthentication = (mount: Mount): void => {
  mount(contract.Reauthenticate, {
    reads: ({ deps: { db }, caller: { userId } }) => findFactors(db, { userId }),
    answer: (context, factors) => reauthenticate(context, factors),
  });
  mount(contract.BeginConfirmation, {
    reads: ({ deps: { db }, caller: { userId } }) => findPasskeys(db, { userId }),
    answer: async (context, passkeys) => ({
      status: 200,
      data: await beginConfirmation(context, passkeys),
    }),
  });
  mount(contract.SendConfirmationCode, {
    answer: (context) =>
      sendConfirmationCode(context, (by) => ({ status: 202, message: codeSent(), data: { by } })),
  });
};
