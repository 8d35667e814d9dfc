// Pure: how long a lease is good, and what a forwarded request carries.

/** How often a lease is renewed, so that two renewals may fail before it ends. */
export const renewEveryMs = (leaseMs: number): number => Math.floor(leaseMs / 3);

/** For how long after a renewal was sent its owner uses the lease: it ends for the owner before it does for the others. */
export const usedForMs = (leaseMs: number): number => Math.floor(leaseMs * 0.8);

/** How long a client waits before it asks again for a clinic whose owner does not answer. */
export const retryAfterSeconds = (leftMs: number): number => Math.max(1, Math.ceil(leftMs / 1000));

/** Says that a machine forwards a request, and for whom; in an answer, that the machine did not take it. */
export const forwardedHeader = 'janji-forwarded';

/** The request as a forwarding machine has it from its client. */
export interface ForwardedRequest {
  /** The start of the process for which it is meant: no other takes it, nor one that was started again. */
  machineId: string;
  method: string;
  target: string;
  host: string;
  clientAddress: string;
}

/** What is signed, in a form in which no two requests are the same text. */
export const textToSign = ({ machineId, method, target, host, clientAddress }: ForwardedRequest): string =>
  JSON.stringify(['janji forward 1', machineId, method, target, host, clientAddress]);

export const writeForwarded = (clientAddress: string, mac: string): string =>
  `1.${Buffer.from(clientAddress).toString('base64url')}.${mac}`;

/** The parts of the header; null if it has another form. */
export const readForwarded = (text: string): { clientAddress: string; mac: string } | null => {
  const [, address = '', mac = ''] = /^1\.([\w-]{0,200})\.([\w-]{43})$/.exec(text) ?? [];
  return mac === '' ? null : { clientAddress: Buffer.from(address, 'base64url').toString(), mac };
};

/** Headers that belong to one connection (RFC 9110, 7.6.1); the length of a body stays as it was said. */
const ofConnection = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  forwardedHeader,
]);

/** The headers that go on to the next machine, or back, in their order and as they were written. */
export const endToEnd = (rawHeaders: readonly string[]): string[] => {
  const named = new Set<string>();
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() === 'connection')
      for (const name of (rawHeaders[at + 1] ?? '').split(',')) named.add(name.trim().toLowerCase());
  const kept: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const lower = name.toLowerCase();
    if (!ofConnection.has(lower) && !named.has(lower)) kept.push(name, rawHeaders[at + 1] ?? '');
  }
  return kept;
};
