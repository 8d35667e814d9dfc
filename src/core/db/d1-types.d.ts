import type * as workers from '@cloudflare/workers-types';

// drizzle-orm/d1 refers to these as globals; the rest of the Workers' globals would clash with Node's.
declare global {
  type D1Database = workers.D1Database;
  type Fetcher = workers.Fetcher;
  type D1PreparedStatement = workers.D1PreparedStatement;
  type D1Result<T = unknown> = workers.D1Result<T>;
}
