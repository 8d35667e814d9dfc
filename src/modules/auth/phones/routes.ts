import { messages } from '../../../core/endpoint/messages.ts';
import { minutesInWords, say } from '../../../core/endpoint/sentences.ts';
import type { Mount } from '../../handler.ts';
import { loginCodeTtlMinutes } from '../code/rules.ts';
import { countedFor, toPhoneWay } from '../code/way.ts';
import { profileView } from '../login/views.ts';
import { parseUser } from '../owner.ts';
import { throttled } from '../throttle/throttled.ts';
import { askForPhone, proveNewPhone, takePhoneOff } from './actions.ts';
import * as contract from './contract.ts';

const codeSent = () => say(messages.phone_change_sent, { lifetime: minutesInWords(loginCodeTtlMinutes) });

export const mountLoginPhone = (mount: Mount): void => {
  mount(contract.ChangePhone, {
    answer: async (context) => {
      const way = toPhoneWay(context.deps, context.body.phone);
      return throttled(context, { act: 'phone-code', account: countedFor(way) }, async (attempt) => {
        await askForPhone(context, way, attempt);
        return { status: 202, message: codeSent() };
      });
    },
  });
  mount(contract.ProveNewPhone, {
    answer: async (context) => {
      const { deps, body, actor, login } = context;
      const way = toPhoneWay(deps, body.phone);
      const counted = { act: 'login-code-verify' as const, account: actor.userId };
      return throttled(context, counted, async (attempt) => {
        const { contact, loginPhone } = await proveNewPhone(context, way, body.code, attempt);
        const user = JSON.stringify({ ...parseUser(login), ...contact });
        const data = profileView(deps, { ...login, user, loginPhone });
        return { status: 200, data };
      });
    },
  });
  mount(contract.RemovePhone, {
    answer: async (context) => {
      await takePhoneOff(context);
      const data = profileView(context.deps, { ...context.login, loginPhone: null });
      return { status: 200, data };
    },
  });
};
