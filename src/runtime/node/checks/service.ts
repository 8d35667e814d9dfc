import type { NodeSettings } from '../settings.ts';
import type { ServiceAnswer } from './status-rules.ts';

const limitMs = 5_000;

/** Which address of this machine reaches what listens at all of them. */
const loopback: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Where the service of a database answers: of a file on this machine, of another database at PUBLIC_URL. Null if that is
 * unknown.
 */
export const addressOfService = (
  { HOST, PORT, DATABASE_URL }: Pick<NodeSettings, 'HOST' | 'PORT' | 'DATABASE_URL'>,
  { publicUrl, isD1 }: { publicUrl: string | undefined; isD1: boolean },
): string | null => {
  if (isD1 || !DATABASE_URL.startsWith('file:')) return publicUrl ?? null;
  const host = loopback[HOST] ?? HOST;
  return PORT === 0 ? null : `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
};

const ask = async (address: string): Promise<{ status: number; name: unknown }> => {
  const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(limitMs) });
  const body = (await response.json().catch(() => null)) as { data?: { name?: unknown } } | null;
  return { status: response.status, name: body?.data?.name };
};

/** What answers at an address; null where none is asked. */
export const askService = async (address: string | null): Promise<ServiceAnswer | null> => {
  if (address === null) return null;
  try {
    const { status, name } = await ask(`${address}/health`);
    // Under more load than it can serve it turns requests away.
    if (name !== 'janji' && status !== 503) return 'another';
    return (await ask(`${address}/ready`)).status === 200 ? 'ready' : 'not_ready';
  } catch {
    return 'no_answer';
  }
};
