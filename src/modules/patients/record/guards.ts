import { type SQL, sql } from 'drizzle-orm';
import { maxClaimFailures } from './rules.ts';

/** The code `c` is good at the instant of the row `r`. */
export const isOpenCode: SQL = sql`c.used_at is null and c.expires_at > r.now
  and c.failures < ${sql.raw(String(maxClaimFailures))}`;
