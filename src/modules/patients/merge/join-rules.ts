// Pure: whether two accounts of one person may be joined, and what the one that stays takes from the other.

/** An account, as far as it decides about that. */
export interface Account {
  role: string;
  deactivatedAt: number | null;
  email: string | null;
  emailProvedAt: number | null;
  loginPhone: string | null;
  phoneProvedAt: number | null;
}

/** Whether the holder of the account showed that its e-mail or phone is theirs. */
export const isProved = ({ emailProvedAt, loginPhone }: Account): boolean =>
  emailProvedAt !== null || loginPhone !== null;

/** Whether nobody else can come and prove that they own its e-mail: that would take over the account, phone or not. */
const isSafe = (account: Account): boolean =>
  isProved(account) && (account.email === null || account.emailProvedAt !== null);

export const waysIn = ['email', 'login_phone'] as const;
type WayIn = (typeof waysIn)[number];

/** The ways into the account that ends which the other takes over: proved ones, in place of none. */
export const waysTaken = (source: Account, target: Account): WayIn[] => [
  ...(target.email === null && source.email !== null && source.emailProvedAt !== null
    ? (['email'] as const)
    : []),
  ...(target.loginPhone === null && source.loginPhone !== null ? (['login_phone'] as const) : []),
];

/** The account that stays, after it was joined. */
export const accountAfter = (source: Account, target: Account): Account => {
  const taken = waysTaken(source, target);
  return {
    ...target,
    ...(taken.includes('email') && { email: source.email, emailProvedAt: source.emailProvedAt }),
    ...(taken.includes('login_phone') && {
      loginPhone: source.loginPhone,
      phoneProvedAt: source.phoneProvedAt,
    }),
  };
};

export const birthDateAgreements = ['same', 'different', 'unknown'] as const;

/** Whether two records have the same date of birth; unknown where one has none. */
export const compareBirthDates = (
  { birthDate: one }: { birthDate: string | null },
  { birthDate: other }: { birthDate: string | null },
): (typeof birthDateAgreements)[number] => {
  if (one === null || other === null) return 'unknown';
  return one === other ? 'same' : 'different';
};

/**
 * Why two accounts cannot be joined; null if they can. The person who registered an e-mail that nobody proved may be somebody
 * else than the person at the desk: such an account ends, and never gets the visits of another one.
 */
export const refuseJoin = (
  source: Account,
  target: Account,
  { asksForProof }: { asksForProof: boolean },
): 'patient_works_here' | 'account_deactivated' | 'account_unproved' | null => {
  if ([source, target].some(({ role }) => role !== 'patient')) return 'patient_works_here';
  if ([source, target].some(({ deactivatedAt }) => deactivatedAt !== null)) return 'account_deactivated';
  return asksForProof && !isSafe(target) ? 'account_unproved' : null;
};
