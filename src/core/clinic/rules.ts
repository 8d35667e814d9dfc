// Pure: the booking rules in force.

/** How many days ahead a clinic may be booked at most. */
export const furthestDays = 730;

/** The rules of booking and canceling: the setting that overrides each rule of the database, and the default. */
const sources = {
  minNoticeMinutes: ['MIN_NOTICE_MINUTES', 30],
  maxAdvanceDays: ['MAX_ADVANCE_DAYS', 90],
  cancelLeadMinutes: ['CANCEL_LEAD_MINUTES', 0],
  /** 0 for no limit; so is the next. */
  maxLiveBookings: ['MAX_LIVE_BOOKINGS', 20],
  maxUnprovedBookings: ['MAX_UNPROVED_BOOKINGS', 2],
  /** After how many missed visits in a year a patient's bookings wait for approval; 0 for never. */
  approvalAfterNoShows: ['APPROVAL_AFTER_NO_SHOWS', 0],
  /** How many minutes before and after its start a patient may check in without the desk; 0 for at the desk alone. */
  selfCheckInMinutes: ['SELF_CHECK_IN_MINUTES', 0],
  /** After how many years a booking is removed; 0 for never. */
  retentionYears: ['RETENTION_YEARS', 0],
} as const satisfies Record<string, readonly [setting: string, otherwise: number]>;

type RuleName = keyof typeof sources;
export type BookingRules = Record<RuleName, number>;

export const ruleNames = Object.keys(sources) as RuleName[];

/** The rules as set in the environment. */
type RuleSettings = { readonly [R in RuleName as (typeof sources)[R][0]]?: number | undefined };

/** The rules as set in the database; null where a rule is not set. */
type StoredRules = Readonly<Partial<Record<RuleName, number | null>>>;

/** One rule: the environment wins over the database. */
export const resolveRule = (name: RuleName, settings: RuleSettings, stored: StoredRules): number => {
  const [setting, otherwise] = sources[name];
  return settings[setting] ?? stored[name] ?? otherwise;
};

/** All rules in force. */
export const resolveRules = (settings: RuleSettings, stored: StoredRules) =>
  Object.fromEntries(ruleNames.map((name) => [name, resolveRule(name, settings, stored)])) as BookingRules;

/** The rules that the environment sets, so that they cannot be changed in the database. */
export const setByEnvironment = (settings: RuleSettings): RuleName[] =>
  ruleNames.filter((name) => settings[sources[name][0]] !== undefined);
