import type { Deps } from './deps.ts';

type Ways = Pick<Deps, 'config' | 'mailer'>;

/** Whether people log in by a mailed code: the clinic has turned it on, and can send mail. */
export const takesMailCodes = ({ config, mailer }: Ways): boolean =>
  config.LOGIN_BY_CODE === 'on' && mailer.reachesPeople === true;

/** Whether patients log in by a code to their phone: the clinic has turned it on, and has a message gateway. */
export const takesPhoneCodes = ({ config }: Pick<Deps, 'config'>): boolean =>
  config.LOGIN_BY_PHONE_CODE === 'on' && config.NOTICE_API_URL !== undefined;

/** Whether people log in by codes at all. Slots are then held for those who are about to book. */
export const takesCodes = (ways: Ways): boolean => takesMailCodes(ways) || takesPhoneCodes(ways);
