import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';
import type { Deps, PartnerAnswer } from '../../../src/core/deps.ts';

export const oidcSettings = {
  OIDC_ISSUER: 'https://login.example',
  OIDC_CLIENT_ID: 'janji',
  OIDC_CLIENT_SECRET: 'rahasia-klien',
  PUBLIC_URL: 'https://janji.klinik.example',
};

const json = (status: number, body: object): PartnerAnswer => ({ status, body: JSON.stringify(body) });

const challengeOf = async (verifier: string): Promise<string> => {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
};

interface Given {
  challenge: string;
  claims: JWTPayload;
}

/**
 * A provider of OpenID Connect: it verifies the client, the address to return to, PKCE and that a code comes once, signs
 * ID tokens with keys that it may change, and notes under `wrongs` what no client may send.
 */
export const createIssuer = async (
  clock: () => number,
  settings = oidcSettings,
  algorithm: 'RS256' | 'ES256' = 'RS256',
) => {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: secret } = settings;
  const codes = new Map<string, Given>();
  const wrongs: string[] = [];
  const asked: string[] = [];
  let signing: { key: CryptoKey; kid: string; jwk: JWK };
  let made = 0;
  const rotate = async (): Promise<void> => {
    const { privateKey, publicKey } = await generateKeyPair(algorithm);
    made += 1;
    const kid = `kunci-${made}`;
    signing = {
      key: privateKey,
      kid,
      jwk: { ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' },
    };
  };
  await rotate();

  const peer = {
    /** Whether it answers at all. */
    isDown: false,
    /** What is wrong with the claims of an ID token, where something is. */
    change: (claims: JWTPayload): JWTPayload => claims,
    /** Who signs, if not the key that is published. */
    signer: null as { key: CryptoKey; kid: string } | null,
    /** Whether it takes the client's secret in the body alone. */
    takesInBody: false,
    /** How it calls itself in its description. */
    namedAs: issuer,
  };

  /** The person logs in on the provider's page: gives the query with which the browser is sent back. */
  const authorize = (address: string, person: JWTPayload): string => {
    const url = new URL(address);
    const given = Object.fromEntries(url.searchParams);
    const expected = {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: `${settings.PUBLIC_URL}/konsol/sso`,
      code_challenge_method: 'S256',
    };
    for (const [name, value] of Object.entries(expected))
      if (given[name] !== value) wrongs.push(`${name} is ${given[name]}`);
    for (const name of ['state', 'nonce', 'code_challenge'])
      if ((given[name] ?? '').length < 43) wrongs.push(`${name} is short`);
    if (!given.scope?.split(' ').includes('openid')) wrongs.push(`scope is ${given.scope}`);
    const code = crypto.randomUUID();
    const seconds = Math.floor(clock() / 1000);
    const { nonce = '', code_challenge: challenge = '', state = '' } = given;
    // The instant of the login is in the token if `max_age` was asked for (OpenID Connect Core 2).
    const asked = given.max_age === undefined ? {} : { auth_time: seconds };
    const claims = {
      iss: issuer,
      aud: clientId,
      iat: seconds,
      exp: seconds + 300,
      nonce,
      ...asked,
      ...person,
    };
    codes.set(code, { challenge, claims });
    return new URLSearchParams({ code, state, iss: issuer }).toString();
  };

  const giveTokens = async (headers: Readonly<Record<string, string>>, body: URLSearchParams) => {
    const basic = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1];
    const inHeader = basic === undefined ? [] : atob(basic).split(':').map(decodeURIComponent);
    const [id, word] = peer.takesInBody ? [body.get('client_id'), body.get('client_secret')] : inHeader;
    if (id !== clientId || word !== secret) return json(401, { error: 'invalid_client' });
    const code = body.get('code') ?? '';
    const given = codes.get(code);
    codes.delete(code);
    const isRight =
      given !== undefined && (await challengeOf(body.get('code_verifier') ?? '')) === given.challenge;
    if (!isRight || body.get('redirect_uri') !== `${settings.PUBLIC_URL}/konsol/sso`)
      return json(400, { error: 'invalid_grant' });
    const { key, kid } = peer.signer ?? signing;
    const id_token = await new SignJWT(peer.change(given.claims))
      .setProtectedHeader({ alg: algorithm, kid })
      .sign(key);
    return json(200, { access_token: 'buram', token_type: 'Bearer', expires_in: 300, id_token });
  };

  const ask: Deps['askPartner'] = async ({ url, headers, body }) => {
    const { origin, pathname } = new URL(url);
    asked.push(pathname);
    if (peer.isDown || origin !== new URL(issuer).origin) return { failure: 'connection' };
    if (pathname.endsWith('/.well-known/openid-configuration'))
      return json(200, {
        issuer: peer.namedAs,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: [algorithm],
        token_endpoint_auth_methods_supported: [
          peer.takesInBody ? 'client_secret_post' : 'client_secret_basic',
        ],
        code_challenge_methods_supported: ['S256'],
        authorization_response_iss_parameter_supported: true,
      });
    if (pathname.endsWith('/jwks')) return json(200, { keys: [signing.jwk] });
    if (pathname.endsWith('/token')) return giveTokens(headers, new URLSearchParams(body));
    return json(404, {});
  };

  /** A key that it has never published. */
  const foreignKey = async () => ({ key: (await generateKeyPair(algorithm)).privateKey, kid: signing.kid });

  return Object.assign(peer, { ask, authorize, rotate, foreignKey, wrongs, asked });
};

export type Issuer = Awaited<ReturnType<typeof createIssuer>>;
