// The access token lives here, and nowhere else: a reload asks for another by the cookie that no script reads.

interface Token {
  text: string;
  /** When it runs out, by this machine's clock. */
  until: number;
}

let token: Token | null = null;
let renew: () => Promise<boolean> = async () => false;

const marginMs = 20_000;

export const holdToken = (text: string, expiresInSeconds: number): void => {
  token = { text, until: Date.now() + expiresInSeconds * 1000 };
};

export const forgetToken = (): void => {
  token = null;
};

export const hasToken = (): boolean => token !== null;

/** Who renews the token: `session.ts`. Says whether there is a new one. */
export const onRenewal = (how: () => Promise<boolean>): void => {
  renew = how;
};

const bearer = (): Record<string, string> =>
  token === null ? {} : { Authorization: `Bearer ${token.text}` };

const isRefused = (response: Response): boolean =>
  response.status === 401 && (response.headers.get('WWW-Authenticate') ?? '').includes('invalid_token');

/** Sends a request with the token; renews it before it runs out, and once where it was refused. */
export const authorized = async (
  send: (headers: Record<string, string>) => Promise<Response>,
): Promise<Response> => {
  if (token !== null && token.until - marginMs < Date.now()) await renew();
  const response = await send(bearer());
  if (!isRefused(response)) return response;
  return (await renew()) ? send(bearer()) : response;
};

/** The header for a call that takes the token where there is one. */
export const bearerIfAny = bearer;
