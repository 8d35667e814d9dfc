import { derive, deriveEach } from '../../../core/crypto/key-derivation.ts';
import type { Claims } from '../../../core/crypto/token-keys.ts';
import { runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { rateLimited } from '../../../core/endpoint/rate-limited.ts';
import type { RequestContext } from '../../../core/http/context.ts';
import { errorName } from '../../../core/log.ts';
import { sendTemplate } from '../../../core/message-gateway.ts';
import { eventRow } from '../audit/queries.ts';
import { typedCode } from '../mail/email-code-rules.ts';
import type { Attempt } from '../throttle/throttled.ts';
import { recordLoginCode, storeLoginCode } from './queries.ts';
import { loginCodeFrom, loginCodeTtlMs } from './rules.ts';
import { type CodeUse, loginCodeTemplate, writeLoginCode } from './text.ts';
import type { Target } from './way.ts';

/**
 * What a code is for. Address and code are hashed with a key: few addresses and fewer codes can be guessed without it. The
 * first word of each text keeps the purposes apart, so that a code is good for nothing but its own.
 */
export interface Purpose {
  /** What names the one code in the table, before it is hashed. */
  address: readonly string[];
  code: readonly string[];
}

/** Logging in by an address or a number, or registering. */
export const toLogIn = (way: Target): Purpose =>
  way.by === 'mail'
    ? { address: ['address', way.email], code: ['code', way.email] }
    : { address: ['phone', way.phone], code: ['phone-code', way.phone] };

/** The two texts of a code that are hashed. */
const buildTexts = ({ address, code }: Purpose, digits: string) => ({
  address: JSON.stringify(address),
  hash: JSON.stringify([...code, digits]),
});

/** The hashes under which a typed code is looked for, as JSON: of its purpose and of itself, by each key in force. */
export const hashesOfTyped = async (
  { tokenKeys }: Pick<Deps, 'tokenKeys'>,
  purpose: Purpose,
  typed: string,
) => {
  const { address, hash } = buildTexts(purpose, typedCode(typed));
  const [addresses, hashes] = await Promise.all([
    deriveEach(tokenKeys, 'login-code', address),
    deriveEach(tokenKeys, 'login-code', hash),
  ]);
  return { addresses: JSON.stringify(addresses), hashes: JSON.stringify(hashes) };
};

type Sender = Pick<RequestContext, 'deps' | 'language'>;

/** Hands the code to the gateway, or to the mailer. Returns why it did not leave, without the number; null if it did. */
const handOver = async (
  { deps, language }: Sender,
  id: string,
  way: Target,
  code: string,
  use: CodeUse,
): Promise<string | null> => {
  if (way.by === 'mail') {
    await deps.mailer.send({ id, to: way.email, ...writeLoginCode(code, use)[language] });
    return null;
  }
  const outcome = await sendTemplate(deps, { id, to: `+${way.phone}`, language, ...loginCodeTemplate(code) });
  if ('failure' in outcome) return outcome.failure;
  return outcome.status >= 200 && outcome.status < 300 ? null : `HTTP ${outcome.status}`;
};

/** The code leaves after the answer, or not at all. It is not kept: who does not get it asks for another. */
const sendCode = async (context: Sender, way: Target, code: string, use: CodeUse): Promise<void> => {
  const { deps } = context;
  const id = deps.newId();
  let cause: string | null;
  try {
    cause = await handOver(context, id, way, code, use);
  } catch (error) {
    cause = errorName(error);
  }
  if (cause === null) return;
  const what = way.by === 'mail' ? 'mail' : 'message';
  deps.log.warn(`${what} not sent`, { [`${what}_id`]: id, kind: 'login_code', cause });
};

/** Of a code that an account asks for: who asks, and what for. */
interface Asked {
  actor: Pick<Claims, 'userId' | 'deviceLoginId'>;
  what: 'change' | 'confirm';
}

const buildEvent = (asked: Asked | undefined, by: Target['by']) => {
  const isMessage = by === 'phone';
  if (asked === undefined) return { userId: null, ...(isMessage && { detail: { by } }) };
  const { userId, deviceLoginId } = asked.actor;
  return {
    userId,
    actorId: userId,
    deviceLoginId,
    detail: { ...(isMessage && { by }), for: asked.what },
  };
};

/**
 * Sends a code to an address or a number, whether or not an account has it. Throws `rate_limited` once the messages of
 * the clinic's day are used up.
 */
export const sendCodeFor = async (
  context: RequestContext,
  way: Target,
  purpose: Purpose,
  { network }: Attempt,
  asked?: Asked,
): Promise<void> => {
  const { deps, now, requestId } = context;
  const { db, tokenKeys, clinicTime, config } = deps;
  const code = loginCodeFrom(crypto.getRandomValues(new Uint8Array(6)));
  const texts = buildTexts(purpose, code);
  const [address, hash] = await Promise.all([
    derive(tokenKeys, 'login-code', texts.address),
    derive(tokenKeys, 'login-code', texts.hash),
  ]);
  const today = clinicTime.dateOf(now);
  const isMessage = way.by === 'phone';
  const room = { ceiling: isMessage ? config.PHONE_CODES_PER_DAY : null, since: clinicTime.startOf(today) };
  const event = eventRow({
    writeId: deps.newId(),
    type: 'login_code_sent',
    ...buildEvent(asked, way.by),
    network,
    requestId,
    now,
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
  deps.background(sendCode(context, way, code, asked?.what === 'confirm' ? 'confirm' : 'login'));
};
