import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** The method and the target of a request. */
type Line = Pick<IncomingMessage, 'method' | 'url'>;

/** Knows the line of a request that could not be read as a whole. */
export interface RequestLines {
  /** Follows the connections of a server. */
  of: (server: Server) => void;
  /** Called with each request whose head was read. */
  read: (incoming: IncomingMessage) => void;
  /** The line of what a connection is sending, as far as it came; `packet` are its last bytes. */
  lineOf: (socket: Socket, packet?: Buffer) => Line | undefined;
}

/** Enough for the path of each endpoint, in a target of any length. */
const keptLength = 1_000;

const toText = (bytes?: Buffer): string => bytes?.toString('latin1', 0, keptLength) ?? '';

/** A method that Node does not know is the reason for many a refusal. */
const requestLine = /^\s*(\S+) (?:https?:\/\/[^/\s]*)?(\/[^\s]*)/i;

const toLine = (text: string): Line | undefined => {
  const [, method, url] = requestLine.exec(text) ?? [];
  return url === undefined ? undefined : { method, url };
};

/** Knows it only where the request line is at the beginning of the last packet. */
export const withoutRequestLines: RequestLines = {
  of: () => {},
  read: () => {},
  lineOf: (_socket, packet) => toLine(toText(packet)),
};

/** What a connection has sent since its last request. */
interface Sending {
  /** The beginning of the next head, of earlier packets; and its last characters, which may begin an empty line. */
  head: string;
  tail: string;
  /** The last request, until its body was read as well. */
  request: IncomingMessage | undefined;
  /** How much of that body is still to come; null where its length is not declared. */
  bodyBytes: number | null;
  /** How many heads ended in this packet. */
  headsEnded: number;
}

const declaredBytes = ({ headers }: IncomingMessage): number | null =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : null;

const emptyLine = '\r\n\r\n';

/** Where the last head of a packet ends; 0 where it contains the end of none. */
const endOfHead = (packet: Buffer, { headsEnded, tail, bodyBytes }: Sending): number => {
  if (headsEnded === 0) return 0;
  // Of a single head the first empty line: those after it may be the body's.
  const searches = headsEnded === 1 && bodyBytes !== 0 ? 'indexOf' : 'lastIndexOf';
  const found = packet[searches](emptyLine);
  if (found !== -1) return found + emptyLine.length;
  const whole = tail + packet.toString('latin1', 0, emptyLine.length);
  return whole.indexOf(emptyLine) + emptyLine.length - tail.length;
};

const begin = (sending: Sending, bytes: Buffer): void => {
  if (sending.head.length < keptLength) sending.head = (sending.head + toText(bytes)).trimStart();
  sending.tail = (sending.tail + bytes.toString('latin1', Math.max(0, bytes.length - 3))).slice(-3);
};

/** Notes what of a packet belongs to a request that is not yet read; after Node's parser has seen the packet. */
const follow = (sending: Sending, packet: Buffer): void => {
  const { request, bodyBytes } = sending;
  if (request === undefined) {
    begin(sending, packet);
    return;
  }
  const headEnd = endOfHead(packet, sending);
  sending.headsEnded = 0;
  sending.head = sending.tail = '';
  if (!request.complete) {
    if (bodyBytes !== null) sending.bodyBytes = bodyBytes - (packet.length - headEnd);
    return;
  }
  sending.request = undefined;
  const end = bodyBytes === null ? packet.lastIndexOf(emptyLine) + emptyLine.length : headEnd + bodyBytes;
  if (end < packet.length) begin(sending, packet.subarray(end));
};

/**
 * Remembers the beginning of each request until its head is read. Each packet passes through JavaScript
 * for it, which Node's parser alone does not need.
 */
export const createRequestLines = (): RequestLines => {
  const connections = new WeakMap<Socket, Sending>();
  return {
    of: (server) => {
      server.on('connection', (socket: Socket) => {
        const sending = { head: '', tail: '', request: undefined, bodyBytes: 0, headsEnded: 0 };
        connections.set(socket, sending);
        socket.on('data', (packet: Buffer) => follow(sending, packet));
      });
    },
    read: (incoming) => {
      const sending = connections.get(incoming.socket);
      if (sending === undefined) return;
      sending.request = incoming;
      sending.bodyBytes = declaredBytes(incoming);
      sending.headsEnded += 1;
    },
    lineOf: (socket, packet) => {
      const sending = connections.get(socket);
      return sending?.request ?? toLine(`${sending?.head ?? ''}${toText(packet)}`);
    },
  };
};
