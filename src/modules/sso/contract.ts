import * as z from 'zod/mini';
import { endpoint } from '../../core/endpoint/endpoint.ts';
import { described, freeText, named } from '../../core/endpoint/fields.ts';
import { PageLogin } from '../auth/login/contract.ts';

const common = { method: 'post', tag: 'auth', access: 'public', sameOrigin: true } as const;

const url = () =>
  described(z.string(), 'Where the browser goes: the page of the provider on which the person logs in.', {
    example: 'https://login.example/authorize?response_type=code&client_id=janji',
  });

const response = () =>
  described(freeText(8_000), 'The query of the address to which the provider sent the browser back.', {
    example: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj',
  });

const SsoBegin = named('SsoBegin', () => ({ url: url() }));

export const BeginSso = endpoint({
  ...common,
  path: '/v1/auth/sso',
  summary: 'Begin a login by a work account',
  description:
    'For the console alone, for the people of the clinic. Gives the address of the provider of OpenID Connect (code with PKCE, state and nonce, which a sealed cookie keeps for 10 minutes). 404 where the clinic has none (`OIDC_ISSUER`); 503 while the provider does not answer.',
  returns: { 200: { description: 'The address.', data: SsoBegin, headers: ['Set-Cookie'] } },
  fails: ['not_found', 'rate_limited'],
});

export const FinishSso = endpoint({
  ...common,
  path: '/v1/auth/sso/finish',
  summary: 'Log in by a work account',
  description:
    'Takes what the provider put into the address of `/konsol/sso`, once, in the browser that began. The provider has to say that the e-mail is verified (`email_verified`). It opens the account that the clinic made for this e-mail, which from then on belongs to this person of the provider, whatever their e-mail becomes; or it makes one, where the e-mail is of a domain in `OIDC_DOMAINS` and the claim `OIDC_ROLE_CLAIM` says `staff` or `admin`. Where that claim is set, each login gives the role that it says. A second factor that the account has is asked for as after a password.',
  body: () => z.object({ response: response() }),
  returns: { 200: { description: 'Logged in.', data: PageLogin, headers: ['Set-Cookie'] } },
  fails: ['not_found', 'sso_failed', 'sso_not_allowed', 'second_factor_required', 'rate_limited'],
});

const confirming = {
  method: 'post',
  tag: 'auth',
  access: ['doctor', 'staff', 'admin'],
  beforeEnrolment: true,
  fails: ['not_found', 'sso_confirmation_unavailable', 'sso_confirmation_failed', 'rate_limited'],
} as const;

export const BeginSsoConfirmation = endpoint({
  ...confirming,
  path: '/v1/auth/reauthenticate/sso',
  summary: 'Begin to confirm who is there by a work account',
  description:
    'For the console alone, where `confirms_by_sso` of the profile is true. The provider asks the person to log in again (`prompt=login`, `max_age=0`).',
  returns: {
    200: {
      description: 'The address.',
      data: () =>
        z.object({
          url: url(),
          challenge: described(z.string(), 'To be sent back; good once, for this login, for 10 minutes.', {
            example: 'v1.c2VhbGVk',
          }),
        }),
    },
  },
});

export const FinishSsoConfirmation = endpoint({
  ...confirming,
  path: '/v1/auth/reauthenticate/sso/finish',
  summary: 'Confirm who is there by a work account',
  description:
    'As `POST /v1/auth/reauthenticate`. The provider has to say that the account’s person logged in after the beginning (`auth_time`).',
  body: () =>
    z.object({
      response: response(),
      challenge: described(freeText(2_000), 'From the beginning.', { example: 'v1.c2VhbGVk' }),
    }),
  returns: { 200: { description: 'Confirmed.', message: 'confirmed' } },
});
