import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, freeText } from '../../../core/endpoint/fields.ts';
import { sentCode } from '../code-fields.ts';
import { Profile } from '../login/contract.ts';

export const newPhone = () =>
  described(
    freeText(50),
    'The new one, as people write it: a mobile number of Indonesia, or one with its country code after a plus.',
    { example: '0812-3456-7891' },
  );

export const ChangePhone = endpoint({
  method: 'post',
  path: '/v1/auth/phone/change',
  tag: 'auth',
  summary: 'Ask for a phone, or another one, to log in with',
  description:
    'A code of six digits is sent to it, which is good once, for 10 minutes, and takes the place of any before it. The present phone stays until the code was entered. The answer is the same where the phone opens another account. It counts as a code to log in does: for the number, and for the messages of the clinic’s day (`PHONE_CODES_PER_DAY`). 409 `phone_codes_off` where the clinic sends none (`LOGIN_BY_PHONE_CODE`).',
  access: ['patient'],
  recentLogin: true,
  body: () => z.object({ phone: newPhone() }),
  returns: { 202: { description: 'A message is on its way.', message: 'phone_change_sent' } },
  fails: ['phone_codes_off', 'rate_limited'],
});

export const ProveNewPhone = endpoint({
  method: 'post',
  path: '/v1/auth/phone/change/verify',
  tag: 'auth',
  summary: 'Set the phone to log in with by the code from the message',
  description:
    'Five wrong codes void the one that was sent. The phone opens this account from then on, messages about visits go to it where they went to the one before or to none, and the other devices are logged out. The owner is told by mail, and the phone before by a message. 409 `phone_taken` where it opens another account, and the code stays good; one that was not used for 60 days is taken from that account instead, unless name and date of birth are those of the same person.',
  access: ['patient'],
  body: () => z.object({ phone: newPhone(), code: sentCode('From the message') }),
  returns: {
    200: {
      description: 'Set.',
      data: Profile,
      message: {
        id: 'Nomor untuk masuk berhasil disimpan. Anda telah keluar dari semua perangkat lain.',
        en: 'The phone to log in with was saved. You were logged out of all other devices.',
      },
    },
  },
  fails: ['phone_codes_off', 'phone_code_invalid', 'phone_taken', 'rate_limited'],
});

export const RemovePhone = endpoint({
  method: 'delete',
  path: '/v1/auth/phone',
  tag: 'auth',
  summary: 'Take the phone off that logs in',
  description:
    'It opens the account no longer, and the other devices are logged out; the number in the profile stays. Refused with 409 `last_way_in` where nothing else opens the account: it has no e-mail, or neither a password nor a proved e-mail to which mail can leave. The same answer where there is none.',
  access: 'bearer',
  recentLogin: true,
  returns: {
    200: {
      description: 'It is off.',
      data: Profile,
      message: {
        id: 'Nomor tersebut tidak lagi digunakan untuk masuk.',
        en: 'That phone no longer logs you in.',
      },
    },
  },
  fails: ['last_way_in'],
});
