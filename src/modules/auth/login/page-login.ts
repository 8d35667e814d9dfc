import type { OutputOf } from '../../../core/endpoint/lazy-shape.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { hostCookie, hostCookieIn } from '../../../core/http/pages/cookies.ts';
import { assertSameOrigin } from '../../../core/http/pages/same-origin.ts';
import type { Answer } from '../../../core/http/respond.ts';
import { knownTtlMs } from '../throttle/device-token.ts';
import type { App, PageLogin } from './contract.ts';
import type { Opened } from './views.ts';

// The login of our own pages: the refresh token and the device token in cookies that no script can read. The refresh
// token's value begins with how long the cookie lasts, because the browser does not send that: `k` for 30 days, `s`
// until it closes.

type AppName = OutputOf<typeof App>;

const rememberedSeconds = 30 * 24 * 60 * 60;
const loginCookie = (app: AppName): string => `janji-${app}`;
const deviceCookie = (app: AppName): string => `janji-${app}-device`;

/** The cookie that a page sent: the refresh token, and whether it outlives the browser session. */
interface HeldLogin {
  token: string;
  isRemembered: boolean;
}

/** The request of one of our own pages; throws `cross_site` for any other. Its device token comes as a cookie. */
export const pageRequest = <C extends RequestContext>(context: C, app: AppName): C => {
  const { header } = context;
  assertSameOrigin(header);
  const device = hostCookieIn(header('Cookie'), deviceCookie(app));
  return { ...context, header: (name) => (name === 'X-Device-Token' ? device : header(name)) };
};

export const heldLogin = ({ header }: Pick<RequestContext, 'header'>, app: AppName): HeldLogin | null => {
  const value = hostCookieIn(header('Cookie'), loginCookie(app));
  const [, kind, token] = /^([ks])\.([\w-]{1,200})$/.exec(value ?? '') ?? [];
  return token === undefined ? null : { token, isRemembered: kind === 'k' };
};

/** The console may run on shared machines: its cookie never outlives the browser session. */
const buildCookie = (app: AppName, { token, isRemembered }: HeldLogin): string =>
  isRemembered && app === 'pasien'
    ? hostCookie(loginCookie(app), `k.${token}`, rememberedSeconds)
    : hostCookie(loginCookie(app), `s.${token}`);

export const clearedCookie = (app: AppName): string => hostCookie(loginCookie(app), '', 0);

const toPageLogin = ({ user, role, emailProved, tokens }: Opened): OutputOf<typeof PageLogin> => {
  const { refresh_token: _, ...shown } = tokens;
  return { user, role, email_proved: emailProved, ...shown };
};

/** The answer to a page: everything except the refresh token, which is put into its cookie. */
export const pageAnswer = (
  app: AppName,
  isRemembered: boolean,
  opened: Opened,
  device: Readonly<Record<string, string>> = {},
): { data: OutputOf<typeof PageLogin> } & Pick<Answer, 'cookies'> => {
  const token = device['X-Device-Token'];
  const known = token === undefined ? [] : [hostCookie(deviceCookie(app), token, knownTtlMs / 1000)];
  return {
    data: toPageLogin(opened),
    cookies: [buildCookie(app, { token: opened.tokens.refresh_token, isRemembered }), ...known],
  };
};
