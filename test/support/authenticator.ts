import { fromBase64Url, toBase64Url } from '../../src/core/crypto/base64url.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const joined = (...parts: readonly (Uint8Array | readonly number[])[]): Bytes =>
  Uint8Array.from(parts.flatMap((part) => [...part]));

/** The first bytes of a CBOR item: its kind, and its value or length. */
const head = (kind: number, value: number): number[] => {
  if (value < 24) return [(kind << 5) | value];
  return value < 256 ? [(kind << 5) | 24, value] : [(kind << 5) | 25, value >> 8, value & 255];
};

type Item = number | string | Uint8Array | ReadonlyMap<number | string, Item>;

/** The parts of CBOR that a passkey writes: integers, texts, bytes, maps. */
const cbor = (item: Item): Bytes => {
  if (typeof item === 'number') return joined(item < 0 ? head(1, -1 - item) : head(0, item));
  if (typeof item === 'string') {
    const text = new TextEncoder().encode(item);
    return joined(head(3, text.length), text);
  }
  if (item instanceof Uint8Array) return joined(head(2, item.length), item);
  return joined(head(5, item.size), ...[...item].flatMap(([key, value]) => [cbor(key), cbor(value)]));
};

/** A raw ECDSA signature as passkeys send it: a DER sequence of two integers, without needless zeros. */
export const derOf = (raw: Uint8Array): Bytes => {
  const integer = (part: Uint8Array) => {
    const digits = part.slice(Math.min(part.findIndex((byte) => byte !== 0) >>> 0, part.length - 1));
    const positive = (digits[0] ?? 0) < 128 ? digits : joined([0], digits);
    return joined([2, positive.length], positive);
  };
  const both = joined(integer(raw.slice(0, 32)), integer(raw.slice(32)));
  return joined([0x30, both.length], both);
};

const kinds = {
  ES256: {
    alg: -7,
    made: { name: 'ECDSA', namedCurve: 'P-256' },
    signs: { name: 'ECDSA', hash: 'SHA-256' },
    cose: ({ x = '', y = '' }: JsonWebKey) => [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, fromBase64Url(x)],
      [-3, fromBase64Url(y)],
    ],
  },
  EdDSA: {
    alg: -8,
    made: { name: 'Ed25519' },
    signs: { name: 'Ed25519' },
    cose: ({ x = '' }: JsonWebKey) => [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, fromBase64Url(x)],
    ],
  },
  RS256: {
    alg: -257,
    made: {
      name: 'RSASSA-PKCS1-v1_5',
      hash: 'SHA-256',
      modulusLength: 2048,
      publicExponent: new Uint8Array([1, 0, 1]),
    },
    signs: { name: 'RSASSA-PKCS1-v1_5' },
    cose: ({ n = '', e = '' }: JsonWebKey) => [
      [1, 3],
      [3, -257],
      [-1, fromBase64Url(n)],
      [-2, fromBase64Url(e)],
    ],
  },
} as const;

/** How this use differs from what an honest browser and device say. */
export interface Twist {
  origin?: string;
  domain?: string;
  challenge?: string;
  type?: string;
  crossOrigin?: boolean;
  /** User present 1, user verified 4, may be copied 8, was copied 16. */
  flags?: number;
  counter?: number;
  /** The transports that the browser reports for a new passkey. */
  transports?: string[];
}

interface Options {
  challenge: string;
}

const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));

const textBytes = (text: string): Bytes => new TextEncoder().encode(text) as Bytes;

/**
 * A passkey in software, and the browser before it: real keys, signed by WebCrypto. `counts` is false for a passkey that
 * is synced between devices and therefore says 0 for ever.
 */
export const createPasskey = async (kind: keyof typeof kinds = 'ES256', counts = true) => {
  const { made, signs, cose } = kinds[kind];
  const pair = (await crypto.subtle.generateKey(made, true, ['sign', 'verify'])) as CryptoKeyPair;
  const jwk = (await crypto.subtle.exportKey('jwk', pair.publicKey)) as JsonWebKey;
  const id = crypto.getRandomValues(new Uint8Array(16));
  const home = { origin: 'http://localhost:8787', domain: 'localhost' };
  let uses = 0;

  const clientData = ({ challenge }: Options, type: string, twist: Twist): Bytes =>
    textBytes(
      JSON.stringify({
        type: twist.type ?? type,
        challenge: twist.challenge ?? challenge,
        origin: twist.origin ?? home.origin,
        crossOrigin: twist.crossOrigin ?? false,
      }),
    );

  const deviceData = async (twist: Twist, more: number): Promise<Bytes> => {
    const counter = twist.counter ?? (counts ? ++uses : 0);
    const hash = await sha256(textBytes(twist.domain ?? home.domain));
    const count = [counter >>> 24, counter >>> 16, counter >>> 8, counter].map((part) => part & 255);
    return joined(hash, [(twist.flags ?? 5) | more], count);
  };

  return {
    id: toBase64Url(id),
    /** The page on which it is used, and the domain that its browser knows. */
    home,
    /** The answer of `navigator.credentials.create`. */
    create: async (options: Options, twist: Twist = {}) => {
      const key = cbor(new Map(cose(jwk) as [number, Item][]));
      const credential = joined(new Uint8Array(16), [0, id.length], id, key);
      const authData = joined(await deviceData(twist, 0x40), credential);
      const attestation = new Map<string, Item>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ]);
      return {
        id: toBase64Url(id),
        rawId: toBase64Url(id),
        type: 'public-key',
        response: {
          clientDataJSON: toBase64Url(clientData(options, 'webauthn.create', twist)),
          attestationObject: toBase64Url(cbor(attestation)),
          transports: twist.transports ?? ['internal'],
        },
        clientExtensionResults: {},
      };
    },
    /** The answer of `navigator.credentials.get`. */
    get: async (options: Options, twist: Twist = {}) => {
      const seen = clientData(options, 'webauthn.get', twist);
      const authData = await deviceData(twist, 0);
      const data = joined(authData, await sha256(seen));
      const raw = new Uint8Array(await crypto.subtle.sign(signs, pair.privateKey, data));
      return {
        id: toBase64Url(id),
        rawId: toBase64Url(id),
        type: 'public-key',
        response: {
          clientDataJSON: toBase64Url(seen),
          authenticatorData: toBase64Url(authData),
          signature: toBase64Url(kind === 'ES256' ? derOf(raw) : raw),
        },
        clientExtensionResults: {},
      };
    },
  };
};

export type SoftPasskey = Awaited<ReturnType<typeof createPasskey>>;
