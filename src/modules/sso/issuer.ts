import {
  allowInsecureRequests as allowHttp,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockSkew,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { Deps, PartnerRequest } from '../../core/deps.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { say } from '../../core/endpoint/sentences.ts';
import { errorName } from '../../core/log.ts';
import type { Config } from '../../core/settings/config.ts';
import { type Person, readPerson, toleranceSeconds } from './rules.ts';

/** What the browser that began keeps, sealed, until it comes back. */
export interface Begun {
  verifier: string;
  state: string;
  nonce: string;
}

const timeoutSeconds = 10;

const lost = {
  id: 'Penyedia akun kantor tidak menjawab. Silakan coba beberapa saat lagi.',
  en: 'The provider of your work account does not answer. Please try again in a moment.',
};

class NoAnswer extends Error {}

/** Sends the requests of the library as those to other partners are sent: no redirects, a limit of time. */
const fetchBy =
  ({ askPartner }: Pick<Deps, 'askPartner'>): CustomFetch =>
  async (url, { method, headers, body, signal }) => {
    const request: PartnerRequest = {
      method: method === 'POST' ? 'POST' : 'GET',
      url,
      headers,
      ...(body !== undefined && body !== null && { body: String(body) }),
    };
    const answer = await askPartner(request, signal ?? AbortSignal.timeout(timeoutSeconds * 1000));
    if ('failure' in answer) throw new NoAnswer(answer.failure);
    if (answer.status >= 500 || answer.status === 429) throw new NoAnswer(String(answer.status));
    return new Response(answer.body, {
      status: answer.status,
      headers: { 'Content-Type': 'application/json' },
    });
  };

export const hasIssuer = ({ OIDC_ISSUER: issuer }: Pick<Config, 'OIDC_ISSUER'>): boolean =>
  issuer !== undefined;

const redirectUri = ({ PUBLIC_URL: origin }: Pick<Config, 'PUBLIC_URL'>): string => `${origin}/konsol/sso`;

const isLost = (error: unknown): boolean =>
  error instanceof NoAnswer || (error instanceof Error && error.cause !== undefined && isLost(error.cause));

/** Runs a step at the provider: what does not answer is `unavailable`, everything else a failure. Only its kind is logged. */
const asking = async <T>(
  { log }: Pick<Deps, 'log'>,
  step: 'begin' | 'finish',
  toConfirm: boolean,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const cause = (error as { code?: unknown }).code ?? errorName(error);
    log.warn('single sign-on failed', { step, cause: String(cause) });
    throw isLost(error)
      ? new Failure('unavailable', { sentence: say(lost, {}) })
      : new Failure(toConfirm ? 'sso_confirmation_failed' : 'sso_failed');
  }
};

/** The secret as the provider wants it: in the header, unless it takes it in the body alone. */
const authenticate = (secret: string | undefined): ClientAuth => {
  const [inHeader, inBody] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  return (provider, ...request) => {
    const { token_endpoint_auth_methods_supported: ways = ['client_secret_basic'] } = provider;
    return (ways.includes('client_secret_basic') ? inHeader : inBody)(provider, ...request);
  };
};

/** The provider as it describes itself now. It is read each time: such logins are few, and its keys change. */
const findIssuer = (deps: Deps, now: number): Promise<Configuration> => {
  const { OIDC_ISSUER: issuer = '', OIDC_CLIENT_ID: id = '', OIDC_CLIENT_SECRET: secret } = deps.config;
  const metadata = {
    [clockSkew]: Math.round((now - Date.now()) / 1000),
    [clockTolerance]: toleranceSeconds,
  };
  return discovery(new URL(issuer), id, metadata, authenticate(secret), {
    [customFetch]: fetchBy(deps),
    timeout: timeoutSeconds,
    // Whether an address may be http is decided by the settings: on this machine alone.
    execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowHttp] : [])],
  });
};

/** The state of a confirmation begins with it: the page to which logins and confirmations return tells them apart by it. */
const confirmMark = 'confirm.';

/**
 * Where the browser goes, and what it has to bring back. For a confirmation the provider makes the person log in again, even
 * just after a login, and says when they did (OpenID Connect Core 3.1.2.1).
 */
export const beginAtIssuer = (
  deps: Deps,
  now: number,
  toConfirm = false,
): Promise<{ url: string; begun: Begun }> =>
  asking(deps, 'begin', toConfirm, async () => {
    const issuer = await findIssuer(deps, now);
    const state = `${toConfirm ? confirmMark : ''}${randomState()}`;
    const begun = { verifier: randomPKCECodeVerifier(), state, nonce: randomNonce() };
    const url = buildAuthorizationUrl(issuer, {
      redirect_uri: redirectUri(deps.config),
      scope: 'openid email profile',
      code_challenge: await calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
      state: begun.state,
      nonce: begun.nonce,
      ...(toConfirm && { prompt: 'login', max_age: '0' }),
    });
    return { url: url.href, begun };
  });

/**
 * The person for whom the provider gives an ID token; null where it has not verified their e-mail. With `since` it has to say
 * (`auth_time`) that they logged in there after this instant.
 */
export const finishAtIssuer = (
  deps: Deps,
  now: number,
  response: string,
  { verifier, state, nonce }: Begun,
  since?: number,
): Promise<Person | null> =>
  asking(deps, 'finish', since !== undefined, async () => {
    const issuer = await findIssuer(deps, now);
    const address = new URL(redirectUri(deps.config));
    address.search = response;
    const tokens = await authorizationCodeGrant(issuer, address, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
      // The age that was asked for, 0, at the instant at which it was asked.
      ...(since !== undefined && { maxAge: Math.ceil((now - since) / 1000) }),
    });
    const claims = tokens.claims();
    // By a clock that is further ahead of ours, a login before the beginning would count.
    const isAhead = since !== undefined && Number(claims?.auth_time) > now / 1000 + toleranceSeconds;
    if (claims === undefined || isAhead) throw new Failure('sso_failed');
    return readPerson(claims, deps.config.OIDC_ROLE_CLAIM);
  });
