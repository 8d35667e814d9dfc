import { Failure } from '../../core/endpoint/errors.ts';
import { deviceHeader } from '../auth/login/device-login.ts';
import { pageAnswer, pageRequest } from '../auth/login/page-login.ts';
import { assertGoodPassword } from '../auth/new-password.ts';
import { accountEmail } from '../auth/rules.ts';
import { throttled } from '../auth/throttle/throttled.ts';
import type { Mount } from '../handler.ts';
import * as contract from './contract.ts';
import { createFirstAdmin, readSetup } from './first-admin.ts';
import { findLacks, findSetup } from './queries.ts';
import { mailSpanMs, missingIn } from './rules.ts';
import { sendTestMail } from './test-mail.ts';

/** The first run: the first admin by a link, and what the clinic still lacks. */
export const mountSetup = (mount: Mount): void => {
  mount(contract.GetSetup, {
    reads: ({ deps, now }) => findSetup(deps.db, { hash: '', now }),
    answer: (_context, [setup]) => ({ status: 200, data: { open: !setup?.hasAdmin } }),
  });
  mount(contract.CreateFirstAdmin, {
    answer: async (context) => {
      const { deps, body, now } = context;
      const request = pageRequest(context, 'konsol');
      await assertGoodPassword(deps, body, body);
      return deps.hasher.admit(async () => {
        const reads = { setups: await readSetup(deps, body.token, now) };
        return throttled(
          request,
          { act: 'reset', account: body.token, reads },
          async (attempt, { setups: [setup] }) => {
            const opened = await createFirstAdmin(request, body, attempt, setup);
            const device = await deviceHeader(context, accountEmail(body.email), null);
            return { status: 201 as const, ...pageAnswer('konsol', false, opened, device) };
          },
        );
      });
    },
  });
  mount(contract.ListMissingSetup, {
    reads: ({ deps, now }) =>
      findLacks(deps.db, { today: deps.clinicTime.dateOf(now), since: now - mailSpanMs }),
    answer: ({ deps }, [row]) => {
      if (row === undefined) throw new Failure('unavailable');
      const sendsMail = deps.mailer.reachesPeople === true;
      const sendsMessages = deps.config.NOTICE_API_URL !== undefined;
      const data = {
        missing: missingIn(row, { sendsMail, backups: deps.backupState?.() }),
        sends_mail: sendsMail,
        sends_messages: sendsMessages,
        has_sandbox: deps.besideSandbox !== undefined,
      };
      return { status: 200, data };
    },
  });
  mount(contract.SendTestMail, {
    answer: (context) =>
      throttled(context, { act: 'email-code', account: context.actor.userId }, () => sendTestMail(context)),
  });
};
