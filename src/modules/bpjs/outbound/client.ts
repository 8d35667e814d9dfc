import type { Deps } from '../../../core/deps.ts';
import { type Heard, heardBy } from '../../../core/mailer.ts';
import { type BpjsAccount, openAnswer, signRequest } from './signing.ts';

/** A call of the Antrean service, by its path below the service's address. */
export interface BpjsCall {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}

/** What BPJS answered: code 0 if it was nothing that can be read. */
interface BpjsAnswer {
  code: number;
  message: string;
  response: unknown;
  /** How the answer came, for the pauses. */
  heard: Heard;
}

const parse = (text: string): { metadata?: { code?: unknown; message?: unknown }; response?: unknown } => {
  try {
    const { metadata, metaData, response } = JSON.parse(text);
    return { metadata: metadata ?? metaData, response };
  } catch {
    return {};
  }
};

const readResponse = async (account: BpjsAccount, timestamp: string, response: unknown) =>
  typeof response === 'string' && response !== ''
    ? openAnswer(account, timestamp, response).catch(() => null)
    : response;

/** Asks BPJS once, signed, and reads the answer with the timestamp of the request. It never throws. */
export const askBpjs = async (
  { config, clock, askPartner }: Pick<Deps, 'config' | 'clock' | 'askPartner'>,
  { method, path, body }: BpjsCall,
  signal: AbortSignal,
): Promise<BpjsAnswer> => {
  const account = { consId: config.BPJS_CONS_ID ?? '', secret: config.BPJS_SECRET ?? '' };
  const timestamp = String(Math.floor(clock() / 1000));
  const login = config.BPJS_PCARE_LOGIN;
  const answer = await askPartner(
    {
      method,
      url: `${config.BPJS_URL}/${path}`,
      headers: {
        'x-cons-id': account.consId,
        'x-timestamp': timestamp,
        'x-signature': await signRequest(account, timestamp),
        user_key: config.BPJS_USER_KEY ?? '',
        ...(login !== undefined && { 'X-authorization': `Basic ${btoa(login)}` }),
        ...(body !== undefined && { 'Content-Type': config.BPJS_CONTENT_TYPE }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    },
    signal,
  );
  if ('failure' in answer) return { code: 0, message: '', response: null, heard: 'silence' };
  const { status, retryAfterMs } = answer;
  const { metadata, response } = parse(answer.body);
  // A page of HTML says nothing of the call, whatever its status; a refusal before the service has a status alone.
  const code =
    status >= 500 || status === 401 || status === 403 || status === 429
      ? status
      : Number(metadata?.code ?? 0) || 0;
  return {
    code,
    message: String(metadata?.message ?? ''),
    response: await readResponse(account, timestamp, response),
    heard: heardBy(status, retryAfterMs),
  };
};
