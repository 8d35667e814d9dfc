import { sha256 } from '#hmac';
import { violatedUnique } from '../../core/db/conflict.ts';
import type { Db } from '../../core/db/db.ts';
import { newId } from '../../core/db/ids.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import type { Language } from '../../core/endpoint/messages.ts';
import { rateLimited } from '../../core/endpoint/rate-limited.ts';
import { toNetwork } from '../../core/http/network.ts';
import type { Logger } from '../../core/log.ts';
import type { Mailer } from '../../core/mailer.ts';
import { newRefreshToken } from '../auth/refresh-token.ts';
import { findClinic } from '../clinics/queries.ts';
import { proofLetter, welcomeLetter } from './letters.ts';
import type { Premises } from './premises.ts';
import { countAttempts } from './queries.ts';
import { mostSignups, proofTtlMs, signupsWindowMs } from './rules.ts';
import {
  claimSignup,
  deleteSignup,
  insertSignup,
  proveSignup,
  releaseSignup,
  type Signup,
} from './signup-queries.ts';

/** What the sign-up of clinics needs of a runtime. */
export interface SignupNeeds {
  db: Db;
  clock: () => number;
  mailer: Mailer;
  log: Logger;
  isThrottled: boolean;
  /** The deployment's own address, to which the link of the mail leads: never what a request says. */
  origin: string;
  background: (work: Promise<unknown>) => void;
}

interface Asked {
  name: string;
  host: string;
  email: string;
  time_zone?: string | undefined;
}

const hashOf = (token: string): string | Promise<string> => sha256(`signup\n${token}`);

/** Whether a mail may go to this e-mail; throws if this network has asked too often. */
const mayMail = async (
  { db, isThrottled }: SignupNeeds,
  { email }: Asked,
  address: string,
  now: number,
): Promise<boolean> => {
  if (!isThrottled) return true;
  const [network, mail] = await Promise.all([
    sha256(`signup network\n${toNetwork(address)}`),
    sha256(`signup mail\n${email}`),
  ]);
  const counted = await countAttempts(db, [network, mail], now, signupsWindowMs);
  const of = (key: string) => counted.find((one) => one.key === key);
  const tried = of(network);
  if (tried !== undefined && tried.count > mostSignups.network)
    throw rateLimited(Math.ceil((tried.until - now) / 1000), {});
  return (of(mail)?.count ?? 0) <= mostSignups.email;
};

/**
 * Keeps a clinic's request and mails the link that proves it. The answer is the same for everybody: nobody learns whether
 * an e-mail or a host is known.
 */
export const askToSignUp = async (
  needs: SignupNeeds,
  asked: Asked,
  language: Language,
  address: string,
): Promise<void> => {
  const { db, clock, mailer, log, origin, background } = needs;
  const now = clock();
  if (!(await mayMail(needs, asked, address, now))) return;
  const token = newRefreshToken();
  const { name, host, email, time_zone: timeZone = null } = asked;
  const id = newId();
  const tokenHash = await hashOf(token);
  const row = { id, name, host, email, timeZone, language, tokenHash };
  if (!(await insertSignup(db, { ...row, askedAt: now, expiresAt: now + proofTtlMs }, now))) {
    log.warn('signup', { act: 'refused', cause: 'too many wait' });
    return;
  }
  const letter = proofLetter[language](name, `${origin}/operator/signup/#${token}`);
  const sent = mailer.send({ id, to: email, ...letter }).catch((error: unknown) => {
    log.warn('signup', { act: 'mail failed', cause: error instanceof Error ? error.name : 'unknown' });
  });
  // How long the mail takes would tell whether one was sent.
  background(sent);
};

/** Proves the e-mail of a request by the token of its link. */
export const proveByToken = async ({ db, clock }: SignupNeeds, token: string): Promise<void> => {
  if (await proveSignup(db, await hashOf(token), clock())) return;
  throw new Failure('reset_token_invalid', {
    sentence: {
      id: 'Tautan ini tidak berlaku lagi (berlaku 24 jam dan hanya untuk satu kali pakai). Silakan daftar lagi.',
      en: 'This link is not valid any more (it holds for 24 hours and can be used once). Please sign up again.',
    },
  });
};

export interface Approved {
  id: string;
  name: string;
  host: string;
  email: string;
  link: string;
  /** Whether the link was mailed. */
  mailed: boolean;
}

type Decides = Pick<SignupNeeds, 'db' | 'clock' | 'log'>;

const claim = async ({ db, clock }: Decides, id: string): Promise<Signup> => {
  const signup = await claimSignup(db, id, clock());
  if (signup === null) throw new Failure('not_found');
  return signup;
};

/** Adds the clinic of a request, and mails the link of its first admin. */
export const approveSignup = async (
  needs: Decides & { mailer: Mailer; premises: Pick<Premises, 'add'> },
  id: string,
): Promise<Approved> => {
  const { db, mailer, premises, log } = needs;
  const signup = await claim(needs, id);
  const { name, host, email, language } = signup;
  const taken = () => new Failure('validation_failed', { issues: [{ path: 'host', rule: 'taken' }] });
  let added: Awaited<ReturnType<Premises['add']>>;
  try {
    if ((await findClinic(db, host)) !== null) throw taken();
    added = await premises.add({ name, hosts: [host], timeZone: signup.timeZone ?? undefined, admin: email });
  } catch (error) {
    await releaseSignup(db, id);
    throw violatedUnique(error) === 'hosts.host' ? taken() : error;
  }
  await deleteSignup(db, id);
  const link = added.link ?? '';
  const mailed = await mailer
    .send({ id: `${id}-welcome`, to: email, ...welcomeLetter[language](name, link) })
    .then(
      () => true,
      (error: unknown) => {
        log.warn('signup', { act: 'mail failed', cause: error instanceof Error ? error.name : 'unknown' });
        return false;
      },
    );
  return { id: added.id, name, host, email, link, mailed };
};

/** Forgets a request that was not accepted. */
export const rejectSignup = async (needs: Decides, id: string): Promise<Signup> => {
  const signup = await claim(needs, id);
  await deleteSignup(needs.db, id);
  return signup;
};
