// Pure: how long a lease is good, and what a forwarded request carries.

/** How often a lease is renewed, so that two renewals may fail before it ends. */
export const renewEveryMs = (leaseMs: number): number => Math.floor(leaseMs / 3);

/** For how long after a renewal was sent its owner uses the lease: it ends for the owner before it does for the others. */
export const usedForMs = (leaseMs: number): number => Math.floor(leaseMs * 0.8);

/** How long a client waits before it asks again for a clinic whose owner does not answer. */
export const retryAfterSeconds = (leftMs: number): number => Math.max(1, Math.ceil(leftMs / 1000));

/** Says that a machine forwards a request, and for whom; in an answer, that the machine did not take it. */
export const forwardedHeader = 'janji-forwarded';

/** How far the clocks of two machines may be apart, and how long a request may be on its way, in milliseconds. */
export const forwardedWithinMs = 30_000;

/** The largest body that is read before it is forwarded, so that its hash is signed: those of all requests but copies. */
const mostHashedBytes = 65_536;

/** The request as a forwarding machine has it from its client. */
export interface ForwardedRequest {
  /** The start of the process for which it is meant: no other takes it, nor one that was started again. */
  machineId: string;
  method: string;
  target: string;
  host: string;
  clientAddress: string;
  /** When it is forwarded, by the clock of the machine that does, in milliseconds since 1970. */
  at: number;
  /** Of this request alone, so that it is taken once. */
  nonce: string;
  /** Its hash where the body was read, else its length or that it has none; as `bodyLength` says. */
  body: string;
}

type Signed = Pick<ForwardedRequest, 'clientAddress' | 'at' | 'nonce' | 'body'>;

const version = '2';

/** What is signed, in a form in which no two requests are the same text. */
export const textToSign = (request: ForwardedRequest): string => {
  const { machineId, method, target, host, clientAddress, at, nonce, body } = request;
  return JSON.stringify([
    `janji forward ${version}`,
    ...[machineId, method, target, host, clientAddress],
    ...[at, nonce, body],
  ]);
};

export const writeForwarded = ({ clientAddress, at, nonce, body }: Signed, mac: string): string =>
  [version, Buffer.from(clientAddress).toString('base64url'), at, nonce, body, mac].join('.');

const headerForm = /^2\.([\w-]{0,200})\.(\d{1,15})\.([\w-]{16})\.([\w-]{1,43})\.([\w-]{43})$/;

/** The parts of the header; null if it has another form. */
export const readForwarded = (text: string): (Signed & { mac: string }) | null => {
  const [, address = '', at = '', nonce = '', body = '', mac = ''] = headerForm.exec(text) ?? [];
  if (mac === '') return null;
  return { clientAddress: Buffer.from(address, 'base64url').toString(), at: Number(at), nonce, body, mac };
};

/** How a body is bound that is not read first: by its length, where that is known. */
export const bodyLength = (headers: {
  'transfer-encoding'?: string | undefined;
  'content-length'?: string | undefined;
}): string => {
  if (headers['transfer-encoding'] !== undefined) return 'unknown';
  return String(Number(headers['content-length'] ?? 0));
};

/** Whether a body of such a length is read and its hash signed. */
export const isHashed = (length: string): boolean => Number(length) > 0 && Number(length) <= mostHashedBytes;

/** Whether a request that was forwarded then is taken now; the clocks of two machines are never the same. */
export const isInTime = (at: number, now: number): boolean => Math.abs(now - at) <= forwardedWithinMs;

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
