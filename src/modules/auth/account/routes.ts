import type { Deps } from '../../../core/deps.ts';
import { messages } from '../../../core/endpoint/messages.ts';
import { minutesInWords, say } from '../../../core/endpoint/sentences.ts';
import { buildPage } from '../../../core/http/page.ts';
import type { Mount } from '../../handler.ts';
import { findDeviceLogin } from '../login/queries.ts';
import { profileView, publicUser } from '../login/views.ts';
import { nameOfOwner, parseOwner, parseUser } from '../owner.ts';
import { resetTtlMinutes } from '../rules.ts';
import { throttled } from '../throttle/throttled.ts';
import * as contract from './contract.ts';
import { devicesRead, deviceView, endDevice, endOtherDevices } from './devices.ts';
import { askForEmail, proveNewEmail } from './email-change.ts';
import { assertNewPassword, changePassword, requestPasswordReset, setPasswordByReset } from './passwords.ts';
import { changeProfile } from './profile.ts';

type DeviceLogin = ReturnType<typeof findDeviceLogin>['_']['result'][number];

const deviceResource = {
  read: ({ deps, params }: { deps: Deps; params: { id: string } }) => findDeviceLogin(deps.db, params),
  visible: ({ userId, revokedAt, expiresAt }: DeviceLogin, actor: { userId: string }, now: number) =>
    userId === actor.userId && revokedAt === null && expiresAt > now,
};

const resetRequested = () => say(messages.reset_requested, { lifetime: minutesInWords(resetTtlMinutes) });

/** Stands for the owner in password checks before the owner is known. */
const nobody = { email: '', name: '' };

export const mountAccount = (mount: Mount): void => {
  mount(contract.ChangeProfile, {
    answer: async (context) => {
      const { actor, login, body } = context;
      const user = publicUser(actor.userId, await changeProfile(context, actor, body));
      const data = profileView(context.deps, { ...login, user: JSON.stringify(user) });
      return { status: 200, data };
    },
  });
  mount(contract.ChangePassword, {
    answer: async (context) => {
      await assertNewPassword(context, context.body, parseOwner(context.login));
      return context.deps.hasher.admit(() =>
        throttled(context, { act: 'login', account: nameOfOwner(context.login) }, async (attempt) => {
          await changePassword(context, context.actor, parseOwner(context.login), context.body, attempt);
          return { status: 200 };
        }),
      );
    },
  });
  mount(contract.ForgotPassword, {
    answer: (context) =>
      throttled(context, { act: 'forgot', account: context.body.email }, async (attempt) => {
        await requestPasswordReset(context, context.body.email, attempt);
        return { status: 202, message: resetRequested() };
      }),
  });
  mount(contract.ResetPassword, {
    answer: async (context) => {
      await assertNewPassword(context, context.body, nobody);
      return context.deps.hasher.admit(() =>
        throttled(context, { act: 'reset', account: context.body.token }, async (attempt) => {
          await setPasswordByReset(context, context.body, attempt);
          return { status: 200 };
        }),
      );
    },
  });
  mount(contract.ListDevices, {
    reads: ({ deps, caller, query, now }) => devicesRead(deps, caller.userId, query, now),
    answer: ({ query, actor }, rows) => {
      const page = buildPage(rows, contract.ListDevices.path, query, ({ createdAt, id }) => [createdAt, id]);
      const data = page.shown.map((row) => deviceView(row, actor.deviceLoginId));
      return { status: 200, data, meta: page.meta, headers: page.headers };
    },
  });
  mount(contract.EndDevice, {
    resource: deviceResource,
    answer: async (context) => {
      await endDevice(context, context.actor, context.params.id);
      return { status: 200 };
    },
  });
  mount(contract.EndOtherDevices, {
    answer: async (context) => ({
      status: 200,
      data: { ended: await endOtherDevices(context, context.actor) },
    }),
  });
  mount(contract.ChangeEmail, {
    answer: (context) =>
      throttled(context, { act: 'email-code', account: context.actor.userId }, (attempt) =>
        askForEmail(context, parseOwner(context.login), context.body.email, attempt.network),
      ),
  });
  mount(contract.ProveNewEmail, {
    answer: (context) =>
      throttled(context, { act: 'email-verify', account: context.actor.userId }, async (attempt) => {
        const email = await proveNewEmail(context, context.body.code, attempt);
        const { login, now } = context;
        const user = JSON.stringify({ ...parseUser(login), email });
        const data = profileView(context.deps, { ...login, user, emailProvedAt: now });
        return { status: 200, data };
      }),
  });
};
