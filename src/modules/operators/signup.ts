import { sha256 } from '#hmac';
import { violatedUnique } from '../../core/db/conflict.ts';
import type { Db } from '../../core/db/db.ts';
import { newId } from '../../core/db/ids.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import type { Language } from '../../core/endpoint/messages.ts';
import { rateLimited } from '../../core/endpoint/rate-limited.ts';
import { toNetwork } from '../../core/http/network.ts';
import { errorName, type Logger } from '../../core/log.ts';
import { type Mailer, noMailer } from '../../core/mailer.ts';
import { SettingError } from '../../core/settings/parse-settings.ts';
import { newRefreshToken } from '../auth/refresh-token.ts';
import { findClinic } from '../clinics/queries.ts';
import type { ClinicHosting } from './hosting.ts';
import { proofLetter, welcomeLetter } from './letters.ts';
import { countAttempts, recordAct } from './queries.ts';
import { OperatorRefusal } from './refusals.ts';
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

interface SignupSettings extends Pick<SignupNeeds, 'mailer' | 'background'> {
  isOn: boolean;
  origin: string | undefined;
}

/** Where clinics may sign up, what that needs; throws if the settings cannot keep what it promises. */
export const readSignup = ({
  isOn,
  origin,
  mailer,
  background,
}: SignupSettings): Pick<SignupNeeds, 'origin' | 'background'> | null => {
  if (!isOn) return null;
  if (origin === undefined || mailer === noMailer)
    throw new SettingError(
      "SIGNUP=on takes PUBLIC_URL, the deployment's own address, to which its mails lead, and a way to send mail.",
    );
  return { origin, background };
};

interface Asked {
  name: string;
  host: string;
  email: string;
  time_zone?: string | undefined;
}

const hashToken = (token: string): string | Promise<string> => sha256(`signup\n${token}`);

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
  const tokenHash = await hashToken(token);
  const row = { id, name, host, email, timeZone, language, tokenHash };
  if (!(await insertSignup(db, { ...row, askedAt: now, expiresAt: now + proofTtlMs }, now))) {
    log.warn('signup', { act: 'refused', cause: 'too many wait' });
    return;
  }
  const letter = proofLetter[language](name, `${origin}/operator/signup/#${token}`);
  const sent = mailer.send({ id, to: email, ...letter }).catch((error: unknown) => {
    log.warn('signup', { act: 'mail failed', cause: errorName(error) });
  });
  // How long the mail takes would tell whether one was sent.
  background(sent);
};

/** Proves the e-mail of a request by the token of its link. */
export const proveByToken = async ({ db, clock }: SignupNeeds, token: string): Promise<void> => {
  if (await proveSignup(db, await hashToken(token), clock())) return;
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

interface Decides extends Pick<SignupNeeds, 'db' | 'clock' | 'log'> {
  /** Who decides, for the line of the act. */
  operator: string;
}

const claim = async ({ db, clock }: Decides, id: string): Promise<Signup> => {
  const signup = await claimSignup(db, id, clock());
  if (signup === null) throw new Failure('not_found');
  return signup;
};

type Adds = Decides & { hosting: Pick<ClinicHosting, 'add' | 'link'> };

/** Adds the clinic of a request under the id of the request, so that it is added once however often this is begun. */
const addOnce = async ({ db, clock, operator, hosting }: Adds, signup: Signup): Promise<string | null> => {
  const { id, name, host, email } = signup;
  const before = await findClinic(db, id);
  if (before !== null) return hosting.link(before);
  const taken = () => new Failure('validation_failed', { issues: [{ path: 'host', rule: 'taken' }] });
  if ((await findClinic(db, host)) !== null) throw taken();
  const described = {
    id,
    name,
    hosts: [host],
    timeZone: signup.timeZone ?? undefined,
    admin: email,
    isRepeated: true,
  };
  const act = { at: clock(), operator, act: 'signup_approved', clinicId: id, clinicName: name } as const;
  try {
    return (await hosting.add(described, () => recordAct(db, act))).link;
  } catch (error) {
    throw violatedUnique(error) === 'hosts.host' ? taken() : error;
  }
};

/**
 * Adds the clinic of a request, and mails the link of its first admin. The request is deleted last: cut short before that,
 * it is approved again, and only gets another link.
 */
export const approveSignup = async (needs: Adds & { mailer: Mailer }, id: string): Promise<Approved> => {
  const { db, mailer, log } = needs;
  const signup = await claim(needs, id);
  const { name, host, email, language } = signup;
  let link: string;
  try {
    link = (await addOnce(needs, signup)) ?? '';
  } catch (error) {
    await releaseSignup(db, id);
    throw error;
  }
  const mailed = await mailer
    .send({ id: `${id}-welcome`, to: email, ...welcomeLetter[language](name, link) })
    .then(
      () => true,
      (error: unknown) => {
        log.warn('signup', { act: 'mail failed', cause: errorName(error) });
        return false;
      },
    );
  await deleteSignup(db, id);
  return { id, name, host, email, link, mailed };
};

/** Forgets a request that was not accepted. */
export const rejectSignup = async (needs: Decides, id: string): Promise<Signup> => {
  const { db, clock, operator } = needs;
  const signup = await claim(needs, id);
  if ((await findClinic(db, id)) !== null) {
    await releaseSignup(db, id);
    throw new OperatorRefusal('signup_approved');
  }
  const act = {
    at: clock(),
    operator,
    act: 'signup_rejected',
    clinicId: id,
    clinicName: signup.name,
  } as const;
  await deleteSignup(db, id, [recordAct(db, act)]);
  return signup;
};
