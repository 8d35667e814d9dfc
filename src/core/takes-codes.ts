import type { Deps } from './deps.ts';

/**
 * Whether the clinic has turned on logging in by a code, and can send the codes. Slots are then held for those who are
 * about to book.
 */
export const takesCodes = ({ config, mailer }: Pick<Deps, 'config' | 'mailer'>): boolean =>
  config.LOGIN_BY_CODE === 'on' && mailer.reachesPeople === true;
