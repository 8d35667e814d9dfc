declare module 'cloudflare:workers' {
  export function waitUntil(work: Promise<unknown>): void;
  export const env: {
    DB: D1Database;
    ARCHIVE_DB: D1Database;
    MIGRATIONS: { name: string; queries: string[] }[];
  };
}
declare module 'cloudflare:test' {
  export function reset(): Promise<void>;
  /** Does something inside of an object. */
  export function runInDurableObject<R>(
    object: object,
    work: (instance: object, state: import('@cloudflare/workers-types').DurableObjectState) => R | Promise<R>,
  ): Promise<R>;
  /** Wakes an object whose alarm is set; whether it was. */
  export function runDurableObjectAlarm(object: object): Promise<boolean>;
  /** Ends an object, as the platform does; what it has stored stays. */
  export function evictDurableObject(object: object): Promise<void>;
  export function applyD1Migrations(db: D1Database, migrations: unknown[]): Promise<void>;
}
