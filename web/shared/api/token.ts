// The only copy of the access token: after a reload the page gets another with the cookie that no script can read.

interface Token {
  text: string;
  /** When it runs out, by this machine's clock. */
  until: number;
  owner: string;
}

let token: Token | null = null;
let renew: () => Promise<boolean> = async () => false;

const marginMs = 20_000;

export const holdToken = (text: string, expiresInSeconds: number, owner: string): void => {
  token = { text, until: Date.now() + expiresInSeconds * 1000, owner };
};

export const forgetToken = (): void => {
  token = null;
};

/** Renews the token; set by `session.ts`. Returns whether there is a new one. */
export const onRenewal = (how: () => Promise<boolean>): void => {
  renew = how;
};

const bearer = (): Record<string, string> =>
  token === null ? {} : { Authorization: `Bearer ${token.text}` };

const isRefused = (response: Response): boolean =>
  response.status === 401 && (response.headers.get('WWW-Authenticate') ?? '').includes('invalid_token');

/**
 * Sends a request with the token; renews it before it expires, and once if it was refused. Never sends another person's
 * token.
 */
export const authorized = async (
  send: (headers: Record<string, string>) => Promise<Response>,
): Promise<Response> => {
  const from = token?.owner;
  const sendAsBefore = () => {
    // Another person may have logged in in another tab meanwhile.
    if (from !== undefined && token !== null && token.owner !== from) throw new Error('Another person.');
    return send(bearer());
  };
  if (token !== null && token.until - marginMs < Date.now()) await renew();
  const response = await sendAsBefore();
  if (!isRefused(response)) return response;
  return (await renew()) ? sendAsBefore() : response;
};

/** The header for a call that uses the token if there is one. */
export const bearerIfAny = bearer;
