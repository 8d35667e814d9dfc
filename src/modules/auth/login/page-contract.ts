import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described } from '../../../core/endpoint/fields.ts';
import { App, LogIn, PageLogin, Remember } from './contract.ts';

const ofPage = { tag: 'auth', access: 'public', sameOrigin: true } as const;

export const LogInOnPage = endpoint({
  ...ofPage,
  method: 'post',
  path: '/v1/auth/session',
  summary: 'Log in on a page of the clinic',
  description:
    'For our own pages alone: the refresh token goes into a cookie. Others use `POST /v1/auth/login`.',
  body: () => {
    const { email, password } = LogIn.body().shape;
    return z.object({ email, password, app: App(), remember: Remember() });
  },
  returns: { 200: { description: 'Logged in.', data: PageLogin, headers: ['Set-Cookie'] } },
  fails: ['invalid_credentials', 'sso_required', 'second_factor_required', 'rate_limited'],
});

export const RefreshOnPage = endpoint({
  ...ofPage,
  method: 'post',
  path: '/v1/auth/session/refresh',
  summary: 'Go on with the login of a page',
  description: 'Takes the cookie, and rotates it as `POST /v1/auth/refresh` does.',
  body: () => z.object({ app: App() }),
  returns: {
    200: {
      description: 'Who is logged in, if anybody is.',
      data: () =>
        described(z.nullable(PageLogin()), 'Null where no cookie came along, or one that no longer holds.'),
      headers: ['Set-Cookie'],
    },
  },
  fails: ['rate_limited'],
});

export const LogOutOnPage = endpoint({
  ...ofPage,
  method: 'delete',
  path: '/v1/auth/session',
  summary: 'Log a page out',
  description:
    'Ends the login of the cookie, or else of the access token, and clears the cookie; there may be none.',
  body: () => z.object({ app: App() }),
  returns: { 200: { description: 'Logged out.', message: 'logged_out', headers: ['Set-Cookie'] } },
});
