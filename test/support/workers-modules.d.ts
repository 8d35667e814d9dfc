declare module 'cloudflare:workers' {
  export function waitUntil(work: Promise<unknown>): void;
  export const env: { DB: D1Database; MIGRATIONS: { name: string; queries: string[] }[] };
}
declare module 'cloudflare:test' {
  export function reset(): Promise<void>;
  export function applyD1Migrations(db: D1Database, migrations: unknown[]): Promise<void>;
}
