/** Zones with half and quarter hours, with a change of half an hour, and with changes at midnight. */
export const zones = [
  'Asia/Jakarta',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'America/New_York',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Asia/Beirut',
  'Pacific/Apia',
  'America/Santiago',
] as const;

/** How often a property is tried: `PROPERTY_RUNS` multiplies it for a longer hunt on Node. */
export const runs = (count: number): number =>
  count *
  Number((globalThis as { process?: { env: Record<string, string> } }).process?.env.PROPERTY_RUNS ?? 1);
