import { derive } from '../../../core/crypto/key-derivation.ts';
import { runAll } from '../../../core/db/db.ts';
import { rateLimited } from '../../../core/endpoint/rate-limited.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { templateRequest } from '../../../core/message-gateway.ts';
import { eventRow } from '../audit/queries.ts';
import type { Attempt } from '../throttle/throttled.ts';
import { recordLoginCode, storeLoginCode } from './queries.ts';
import { loginCodeFrom, loginCodeTtlMs } from './rules.ts';
import { loginCodeTemplate, writeLoginCode } from './text.ts';
import type { Way } from './way.ts';

// An address and a code are hashed with a key: few addresses and fewer codes can be guessed without it. The first word
// of the texts keeps the two ways apart.

/** What names an address in the table of codes, before it is hashed. */
export const addressText = (way: Way): string =>
  JSON.stringify(way.by === 'mail' ? ['address', way.email] : ['phone', way.phone]);

/** What names a code of an address, before it is hashed. */
export const codeText = (way: Way, code: string): string =>
  JSON.stringify(way.by === 'mail' ? ['code', way.email, code] : ['phone-code', way.phone, code]);

const messageTimeoutMs = 20_000;

/** Why a message did not leave, without the number or the code; null if it did. */
const sendMessage = async (
  { deps, language }: RequestContext,
  id: string,
  phone: string,
  code: string,
): Promise<string | null> => {
  const { NOTICE_API_URL: url = '', NOTICE_API_KEY: key = '' } = deps.config;
  const message = templateRequest(
    { url, key },
    { id, to: `+${phone}`, language, ...loginCodeTemplate(code) },
  );
  const outcome = await deps.sendMessage(message, AbortSignal.timeout(messageTimeoutMs));
  if ('failure' in outcome) return outcome.failure;
  return outcome.status >= 200 && outcome.status < 300 ? null : `HTTP ${outcome.status}`;
};

const sendMail = async (
  { deps, language }: RequestContext,
  id: string,
  email: string,
  code: string,
): Promise<null> => {
  await deps.mailer.send({ id, to: email, ...writeLoginCode(code)[language] });
  return null;
};

/** The code leaves after the answer. It is not kept: who does not get it asks for another. */
const sendCode = async (context: RequestContext, way: Way, code: string): Promise<void> => {
  const { deps } = context;
  const id = deps.newId();
  const [what, key] =
    way.by === 'mail' ? (['mail', 'mail_id'] as const) : (['message', 'message_id'] as const);
  let cause: string | null;
  try {
    cause = await (way.by === 'mail'
      ? sendMail(context, id, way.email, code)
      : sendMessage(context, id, way.phone, code));
  } catch (error) {
    cause = error instanceof Error ? error.name : 'unknown';
  }
  if (cause !== null) deps.log.warn(`${what} not sent`, { [key]: id, kind: 'login_code', cause });
};

/**
 * Sends a code to an address or a number, whether or not an account has it. Throws `rate_limited` once the messages of
 * the clinic's day are used up.
 */
export const sendLoginCode = async (
  context: RequestContext,
  way: Way,
  { network }: Attempt,
): Promise<void> => {
  const { deps, now, requestId } = context;
  const { db, tokenKeys, clinicTime, config } = deps;
  const code = loginCodeFrom(crypto.getRandomValues(new Uint8Array(6)));
  const [address, hash] = await Promise.all([
    derive(tokenKeys, 'login-code', addressText(way)),
    derive(tokenKeys, 'login-code', codeText(way, code)),
  ]);
  const today = clinicTime.dateOf(now);
  const isMessage = way.by === 'phone';
  const room = { ceiling: isMessage ? config.PHONE_CODES_PER_DAY : null, since: clinicTime.startOf(today) };
  const event = eventRow({
    writeId: deps.newId(),
    type: 'login_code_sent',
    userId: null,
    network,
    requestId,
    now,
    ...(isMessage && { detail: { by: 'phone' } }),
  });
  const whose = isMessage ? { email: null, phone: way.phone } : { email: way.email, phone: null };
  const { stored } = await runAll(db, {
    stored: storeLoginCode(db, { address, hash, now, expiresAt: now + loginCodeTtlMs, ...room }),
    recorded: recordLoginCode(db, { ...event, ...whose, ...room }),
  });
  if (stored.length === 0) {
    deps.log.warn('phone codes of the day used up', { ceiling: config.PHONE_CODES_PER_DAY });
    const midnight = clinicTime.startOf(clinicTime.addDays(today, 1));
    throw rateLimited(Math.max(1, Math.ceil((midnight - now) / 1000)), {});
  }
  deps.background(sendCode(context, way, code));
};
