import { createHash, randomBytes } from 'node:crypto';
import { Agent, type IncomingMessage, request as requestByHttp, type ServerResponse } from 'node:http';
import { request as requestByHttps, Agent as SecureAgent } from 'node:https';
import { pipeline } from 'node:stream';
import { hmac, importHmacKey, isHmac } from '#hmac';
import type { Owner } from '../../../../modules/clinics/lease-queries.ts';
import { ClinicMoving } from '../../../../modules/clinics/opener.ts';
import {
  bodyLength,
  endToEnd,
  type ForwardedRequest,
  forwardedHeader,
  forwardedWithinMs,
  isHashed,
  isInTime,
  readForwarded,
  retryAfterSeconds,
  textToSign,
  writeForwarded,
} from './rules.ts';

/** How long a machine may take to accept a connection, in milliseconds. */
const connectMs = 2_000;
/** How often it is asked until an answer is whole whether its machine still has the clinic. */
const lookEveryMs = 2_000;

const seenForMs = 2 * forwardedWithinMs;

/** Says of each text once that it is new, as long as a request is in time. */
const createSeen = () => {
  let [before, recent] = [new Set<string>(), new Set<string>()];
  let since = 0;
  return (text: string, now: number): boolean => {
    if (Math.abs(now - since) > seenForMs) {
      before = Math.abs(now - since) > 2 * seenForMs ? new Set() : recent;
      recent = new Set();
      since = now;
    }
    if (recent.has(text) || before.has(text)) return false;
    recent.add(text);
    return true;
  };
};

/** What a machine knows of a request before it signs it, or before it believes the signature. */
type Requested = Pick<ForwardedRequest, 'machineId' | 'method' | 'target' | 'host'>;

type Verified =
  | { clientAddress: string; body: string }
  | { refused: 'form' | 'signature' | 'time' | 'repeated' };

/** The signatures of machines, by a key that is derived from JWT_SECRET: all machines have the same. */
export const createSigner = (secret: string, previous?: string, clock: () => number = Date.now) => {
  const deriveKey = (text: string) => {
    const bytes = new TextEncoder();
    return importHmacKey(
      bytes.encode(hmac(importHmacKey(bytes.encode(text)), 'janji machines that forward requests')),
    );
  };
  const key = deriveKey(secret);
  const keys = previous === undefined ? [key] : [key, deriveKey(previous)];
  const isNew = createSeen();
  return {
    sign: (request: Requested & Pick<ForwardedRequest, 'clientAddress' | 'body'>): string => {
      const whole = { ...request, at: clock(), nonce: randomBytes(12).toString('base64url') };
      return writeForwarded(whole, hmac(key, textToSign(whole)));
    },
    /** What a header says that was signed for this request and machine, a moment ago and for the first time. */
    verify: (header: string, request: Requested): Verified => {
      const given = readForwarded(header);
      if (given === null) return { refused: 'form' };
      const { mac, ...signed } = given;
      const text = textToSign({ ...request, ...signed });
      if (!keys.some((one) => isHmac(one, text, mac))) return { refused: 'signature' };
      const now = clock();
      if (!isInTime(signed.at, now)) return { refused: 'time' };
      return isNew(signed.nonce, now) ? signed : { refused: 'repeated' };
    },
  };
};

export const partsOf = ({ method, url, headers }: IncomingMessage, machineId: string): Requested => ({
  machineId,
  method: method ?? '',
  target: url ?? '',
  host: headers.host ?? '',
});

export const hashBytes = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('base64url');

/** Where the server looks for a body that was read before. */
type WithBody = IncomingMessage & { rawBody?: Buffer };

const readWhole = async (incoming: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks);
};

/** Whether the body is the one that was signed; it is read for that where it was before it was forwarded. */
export const isBodySigned = async (incoming: IncomingMessage, body: string): Promise<boolean> => {
  const length = bodyLength(incoming.headers);
  if (!isHashed(length)) return length === body;
  const bytes = await readWhole(incoming).catch(() => null);
  if (bytes === null || hashBytes(bytes) !== body) return false;
  (incoming as WithBody).rawBody = bytes;
  return true;
};

/** Tells the server that the answer was written already: it came from the machine that has the clinic. */
const alreadySent = (): Response => {
  const answer = new Response(null, { headers: { 'x-hono-already-sent': 'true' } });
  // Read once, it is a Response of its own and no longer the parts that the server would send.
  void answer.body;
  return answer;
};

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const framing = ({ headers }: IncomingMessage): string[] =>
  headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked'];

interface Forwarded {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  clientAddress: string;
  /** Its body, where it was read. */
  bytes?: Buffer | undefined;
}

interface Needs {
  signer: ReturnType<typeof createSigner>;
  /** Whether the machine still has the clinic. */
  isOwner: (clinicId: string, machineId: string) => Promise<boolean>;
  /** Called when the machine did not take a request, so that its address is looked up again. */
  refused: (clinicId: string) => void;
}

/** Sends requests on to the machine that has the clinic, and its answers back as they are. */
export const createForwarding = ({ signer, isOwner, refused }: Needs) => {
  const agents = { 'http:': new Agent({ keepAlive: true }), 'https:': new SecureAgent({ keepAlive: true }) };
  let underWay = 0;
  let forwarded = 0;
  let failed = 0;

  const send = (
    clinicId: string,
    owner: Owner,
    { incoming, outgoing, clientAddress, bytes }: Forwarded,
    tried = 0,
  ): Promise<Response> =>
    new Promise((resolve, reject) => {
      const { protocol, hostname, port } = new URL(owner.address);
      const isSecure = protocol === 'https:';
      const body = bytes === undefined ? bodyLength(incoming.headers) : hashBytes(bytes);
      const header = signer.sign({ ...partsOf(incoming, owner.id), clientAddress, body });
      const onward = (isSecure ? requestByHttps : requestByHttp)({
        protocol,
        // URLs write the addresses of IPv6 in brackets.
        hostname: hostname.replace(/^\[|\]$/g, ''),
        port,
        method: incoming.method,
        path: incoming.url,
        agent: agents[isSecure ? 'https:' : 'http:'],
        headers: [...endToEnd(incoming.rawHeaders), ...framing(incoming), forwardedHeader, header],
      });
      // Also while the answer comes: a machine that is paused or cut off ends none, and its client would wait for ever.
      const look = setInterval(() => {
        isOwner(clinicId, owner.id).then(
          (still) => still || onward.destroy(new Error('the machine has lost the clinic')),
          () => {},
        );
      }, lookEveryMs);
      look.unref();
      let connecting: NodeJS.Timeout | undefined;
      const settled = (): void => {
        clearInterval(look);
        clearTimeout(connecting);
      };
      onward.once('socket', (socket) => {
        if (!socket.connecting) return;
        connecting = setTimeout(() => onward.destroy(new Error('no connection')), connectMs);
        socket.once('connect', () => clearTimeout(connecting));
      });
      const give = (why: string, seconds: number, cause?: unknown): void => {
        settled();
        refused(clinicId);
        failed += 1;
        reject(new ClinicMoving(why, seconds, { cause }));
      };
      onward.once('response', (answer) => {
        if (answer.headers[forwardedHeader] !== undefined) {
          answer.resume();
          give('the machine does not take it', 1);
          return;
        }
        outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEnd(answer.rawHeaders));
        // A part of an answer is never the whole: if it breaks off, so does the client's.
        pipeline(answer, outgoing, settled);
        resolve(alreadySent());
      });
      onward.on('error', (error: NodeJS.ErrnoException) => {
        settled();
        // The machine closed a connection that nobody used, at the moment at which it was used again.
        const wasStale = onward.reusedSocket && error.code === 'ECONNRESET' && !hasBody(incoming);
        if (wasStale && tried === 0 && incoming.method === 'GET')
          send(clinicId, owner, { incoming, outgoing, clientAddress }, 1).then(resolve, reject);
        else give('its machine does not answer', retryAfterSeconds(owner.leftMs), error);
      });
      outgoing.once('close', () => {
        if (!outgoing.writableFinished) onward.destroy();
      });
      if (bytes !== undefined || !hasBody(incoming)) onward.end(bytes);
      else incoming.pipe(onward);
    });

  return {
    send: async (clinicId: string, owner: Owner, request: Forwarded): Promise<Response> => {
      underWay += 1;
      forwarded += 1;
      try {
        // A copy of a clinic is not held in memory: of a large body the length is signed, and its path is a private one.
        const bytes = isHashed(bodyLength(request.incoming.headers))
          ? await readWhole(request.incoming).catch((cause: unknown) => {
              throw new ClinicMoving('the client broke off', 1, { cause });
            })
          : undefined;
        return await send(clinicId, owner, { ...request, bytes });
      } finally {
        underWay -= 1;
      }
    },
    stats: () => ({ underWay, forwarded, failed }),
    close: (): void => {
      for (const agent of Object.values(agents)) agent.destroy();
    },
  };
};
