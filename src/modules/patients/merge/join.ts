import { dayMs } from '../../../core/clinic/durations.ts';
import type { Statement } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { takesPhoneCodes } from '../../../core/takes-codes.ts';
import type { Author } from '../../auth/audit/rules.ts';
import { spendRecordedCode } from '../../auth/code/queries.ts';
import { hashesOfTyped, type Purpose, toLogIn } from '../../auth/code/send.ts';
import { tellAddress } from '../../auth/mail/queries.ts';
import { offerMatches } from '../../auth/match-queries.ts';
import { toSetPhone } from '../../auth/phones/actions.ts';
import { isTold } from '../../auth/phones/rules.ts';
import { accountName } from '../../auth/rules.ts';
import { forgetAttempts } from '../../auth/throttle/forget.ts';
import { forgetOrigins } from '../../auth/throttle/throttled.ts';
import {
  dropFound,
  dropWord,
  endAccount,
  ending,
  giveWays,
  mailJoined,
  moving,
  takeNumber,
  takeWays,
} from './join-queries.ts';
import { type Account, accountAfter } from './join-rules.ts';
import { type MergeableRow, recordAfterMerge } from './rules.ts';

const mailLastsMs = 3 * dayMs;

/** Two records of one person, each with an account. */
export interface Pair {
  source: MergeableRow & { account: Account };
  target: MergeableRow & { account: Account };
}

/** The codes that were sent for the account that ends. */
const endingCodes = async (deps: Deps, { id, account }: Pair['source'], writeId: string) => {
  const { email, loginPhone: phone } = account;
  const purposes: Purpose[] = [
    toSetPhone(id, ''),
    ...(email === null ? [] : [toLogIn({ by: 'mail', email })]),
    ...(phone === null ? [] : [toLogIn({ by: 'phone', phone })]),
  ];
  const hashes = await Promise.all(purposes.map((purpose) => hashesOfTyped(deps, purpose, '')));
  return hashes.map(({ addresses }) => spendRecordedCode(deps.db, { addresses, writeId }));
};

/** The number for messages, which the account and the record have in common. */
const numberAfter = ({ source, target }: Pair) => {
  const { phoneNumber, phoneCountryCode } = recordAfterMerge(source, target);
  return { phoneNumber, phoneCountryCode };
};

/** The proved phones of both, each with the language of its owner: they are told by a message. */
const toldPhones = (deps: Deps, { source, target }: Pair, now: number) =>
  [source, target].flatMap(({ account: { loginPhone, phoneProvedAt }, language }) =>
    loginPhone !== null && takesPhoneCodes(deps) && isTold(phoneProvedAt, now)
      ? [{ language, address: `+${loginPhone}` }]
      : [],
  );

/** The statements by which one account ends and the other takes over, in the batch that records it. */
export const joinAccounts = async (
  deps: Deps,
  { now }: Author,
  pair: Pair,
  { writeId, isLast }: { writeId: string; isLast: boolean },
): Promise<Statement[]> => {
  const { db } = deps;
  const { source, target } = pair;
  const { email } = source.account;
  const ids = { writeId, source: source.id, target: target.id };
  const after = accountAfter(source.account, target.account);
  const number = numberAfter(pair);
  const isNamedAnew = after.email !== target.account.email;
  const mail = { kind: 'accounts_joined', userId: target.id, writeId, now, expiresAt: now + mailLastsMs };
  const isGivenUp = email !== null && source.account.emailProvedAt !== null && email !== after.email;
  return [
    ...(await endingCodes(deps, source, writeId)),
    ...(await forgetAttempts(deps, { personId: source.id, email, writeId })),
    ...(isNamedAnew
      ? await forgetOrigins(deps, { name: accountName({ ...target, email: null }), writeId, now })
      : []),
    ...moving.map((move) => move(db, ids)),
    ...ending.map((end) => end(db, ids)),
    ...(email === null
      ? []
      : [dropWord(db, { ...ids, word: email }), dropFound(db, { ...ids, word: email })]),
    giveWays(db, ids),
    takeWays(db, { ...ids, ...after, ...number, now }),
    // The last step writes the whole record, at the version that was read.
    ...(isLast ? [] : [takeNumber(db, { ...ids, ...number, now })]),
    endAccount(db, ids),
    offerMatches(db, { userId: target.id, now }),
    mailJoined(db, { ...mail, mailId: deps.newId(), language: target.language }),
    ...(isGivenUp
      ? [tellAddress(db, { ...mail, mailId: deps.newId(), language: source.language, address: email })]
      : []),
    ...toldPhones(deps, pair, now).map((told) =>
      tellAddress(db, { ...mail, ...told, mailId: deps.newId(), kind: 'phone_joined' }),
    ),
  ];
};
