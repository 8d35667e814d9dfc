import {
  COSEKeyType,
  type COSEPublicKey,
  coseEllipticCurveEd25519,
  coseEllipticCurveP256,
} from '@oslojs/webauthn';
import { toBase64Url } from '../../../core/crypto/base64url.ts';
import { edDsa, es256, rs256 } from './rules.ts';

type Bytes = Uint8Array<ArrayBuffer>;

const encodeNumber = (value: bigint, size: number): string =>
  toBase64Url(
    Uint8Array.from({ length: size }, (_, at) => Number((value >> BigInt(8 * (size - 1 - at))) & 0xffn)),
  );

/** The public key as a JWK; throws for a kind that is not one of the three requested ones. */
export const toJwk = (key: COSEPublicKey): JsonWebKey => {
  const algorithm = key.algorithm();
  if (key.type() === COSEKeyType.EC2 && algorithm === es256) {
    const { curve, x, y } = key.ec2();
    if (curve === coseEllipticCurveP256)
      return { kty: 'EC', crv: 'P-256', x: encodeNumber(x, 32), y: encodeNumber(y, 32) };
  }
  if (key.type() === COSEKeyType.OKP && algorithm === edDsa) {
    const { curve, x } = key.okp();
    if (curve === coseEllipticCurveEd25519)
      return { kty: 'OKP', crv: 'Ed25519', x: toBase64Url(Uint8Array.from(x)) };
  }
  if (key.type() === COSEKeyType.RSA && algorithm === rs256) {
    const { n, e } = key.rsa();
    return { kty: 'RSA', n: encodeNumber(n, 256), e: encodeNumber(e, 3) };
  }
  throw new Error('No key of a passkey.');
};

const kinds = {
  EC: { imported: { name: 'ECDSA', namedCurve: 'P-256' }, verified: { name: 'ECDSA', hash: 'SHA-256' } },
  OKP: { imported: { name: 'Ed25519' }, verified: { name: 'Ed25519' } },
  RSA: {
    imported: { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' },
    verified: { name: 'RSASSA-PKCS1-v1_5' },
  },
} as const;

const kindOf = ({ kty }: JsonWebKey) => kinds[kty as keyof typeof kinds];

/** Throws for an invalid key: a point that is not on its curve, for example. */
export const importKey = (jwk: JsonWebKey): Promise<CryptoKey> =>
  crypto.subtle.importKey('jwk', jwk, kindOf(jwk).imported, false, ['verify']);

/** An ECDSA signature as WebCrypto takes it: passkeys write a DER sequence of two integers. */
export const rawSignature = (der: Uint8Array): Bytes | null => {
  if (der[0] !== 0x30 || der[1] !== der.length - 2) return null;
  const raw = new Uint8Array(64);
  let at = 2;
  for (const end of [32, 64]) {
    const length = der[at + 1] ?? 0;
    const integer = der.subarray(at + 2, at + 2 + length);
    const digits = integer[0] === 0 ? integer.subarray(1) : integer;
    if (der[at] !== 0x02 || length === 0 || digits.length > 32) return null;
    raw.set(digits, end - digits.length);
    at += 2 + length;
  }
  return at === der.length ? raw : null;
};

export const isSigned = async (jwk: JsonWebKey, signature: Bytes, data: Bytes): Promise<boolean> => {
  const raw = jwk.kty === 'EC' ? rawSignature(signature) : signature;
  return raw !== null && crypto.subtle.verify(kindOf(jwk).verified, await importKey(jwk), raw, data);
};
