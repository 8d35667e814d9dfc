import type { Deps } from '../../deps.ts';
import { messages } from '../../endpoint/messages.ts';
import { minutesInWords, say } from '../../endpoint/sentences.ts';
import type { Mount } from '../../handler.ts';
import { pageOf } from '../../http/page.ts';
import { publicUser } from '../login/views.ts';
import { findDeviceLogin } from '../queries.ts';
import { resetTtlMinutes } from '../rules.ts';
import { throttled } from '../throttle/throttled.ts';
import * as contract from './contract.ts';
import { devicesRead, deviceView, endDevice, endOtherDevices } from './devices.ts';
import { assertNewPassword, changePassword, forgetPassword, setPasswordByReset } from './passwords.ts';
import { changeProfile } from './profile.ts';

type DeviceLogin = ReturnType<typeof findDeviceLogin>['_']['result'][number];

const ownDevice = (now: () => number) => ({
  read: ({ deps, params }: { deps: Deps; params: { id: string } }) => findDeviceLogin(deps.db, params),
  visible: ({ userId, revokedAt, expiresAt }: DeviceLogin, actor: { userId: string }) =>
    userId === actor.userId && revokedAt === null && expiresAt > now(),
});

const resetRequested = () => say(messages.reset_requested, { lifetime: minutesInWords(resetTtlMinutes) });

/** For what can be said of a password before it is known whose it will be. */
const nobody = { email: '', name: '' };

export const mountAccount = (mount: Mount, { clock }: Deps): void => {
  mount(contract.ChangeProfile, {
    answer: async (ask) => ({
      status: 200,
      message: 'profile_changed',
      data: {
        user: publicUser(ask.actor.userId, await changeProfile(ask, ask.actor, ask.body)),
        role: ask.actor.role,
        email_proved: ask.login.emailProvedAt !== null,
      },
    }),
  });
  mount(contract.ChangePassword, {
    answer: (ask) => {
      assertNewPassword(ask, ask.body, ask.login);
      return ask.deps.hasher.admit(() =>
        throttled(ask, 'login', ask.login.email, async (attempt) => {
          await changePassword(ask, ask.actor, ask.login, ask.body, attempt);
          return { status: 200, message: 'password_changed' };
        }),
      );
    },
  });
  mount(contract.ForgotPassword, {
    answer: (ask) =>
      throttled(ask, 'forgot', ask.body.email, async (attempt) => {
        await forgetPassword(ask, ask.body.email, attempt);
        return { status: 202, message: resetRequested() };
      }),
  });
  mount(contract.ResetPassword, {
    answer: (ask) => {
      assertNewPassword(ask, ask.body, nobody);
      return ask.deps.hasher.admit(() =>
        throttled(ask, 'reset', ask.body.token, async (attempt) => {
          await setPasswordByReset(ask, ask.body, attempt);
          return { status: 200, message: 'password_reset' };
        }),
      );
    },
  });
  mount(contract.ListDevices, {
    reads: ({ deps, caller, query, now }) => [devicesRead(deps, caller.userId, query, now)] as const,
    answer: ({ query, actor }, [rows]) => {
      const page = pageOf(rows, contract.ListDevices.path, query, ({ createdAt, id }) => [createdAt, id]);
      const data = page.shown.map((row) => deviceView(row, actor.deviceLoginId));
      return { status: 200, data, meta: page.meta, headers: page.headers };
    },
  });
  mount(contract.EndDevice, {
    resource: ownDevice(clock),
    answer: async (ask) => {
      await endDevice(ask, ask.actor, ask.params.id);
      return { status: 200, message: 'device_ended' };
    },
  });
  mount(contract.EndOtherDevices, {
    answer: async (ask) => ({
      status: 200,
      message: 'devices_ended',
      data: { ended: await endOtherDevices(ask, ask.actor) },
    }),
  });
};
