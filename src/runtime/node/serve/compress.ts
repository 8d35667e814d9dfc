import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import Negotiator from 'negotiator';
import type { Compress, Encoding } from '../../../core/deps.ts';

const preferred = ['br', 'gzip', 'identity'] as const;

const maxRemembered = 500;
const remembered = new Map<string, Encoding | null>();

const negotiate = (header: string): Encoding | null => {
  const negotiator = new Negotiator({ headers: { 'accept-encoding': header } });
  const [best = 'identity'] = negotiator.encodings(preferred, { preferred });
  return best === 'identity' ? null : best;
};

/** The encoding that Accept-Encoding prefers, brotli among equals (RFC 9110, 12.5.3); null if none is accepted. */
export const acceptedEncoding = (header: string): Encoding | null => {
  let encoding = remembered.get(header);
  if (encoding === undefined) {
    encoding = negotiate(header);
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(header, encoding);
  }
  return encoding;
};

const brotli = promisify(brotliCompress);
const gzipped = promisify(gzip);

/** Compresses bytes in libuv's threads; the quality is brotli's, 0 to 11. */
const pack = async (
  content: string | Uint8Array,
  encoding: Encoding,
  quality: number,
): Promise<Uint8Array<ArrayBuffer>> => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
  const packed = encoding === 'br' ? await brotli(content, { params }) : await gzipped(content);
  // zlib returns a buffer that nothing else shares.
  return new Uint8Array(packed.buffer as ArrayBuffer, packed.byteOffset, packed.byteLength);
};

// The result is a tenth larger than at the best quality, but takes a fiftieth of the time.
const quickQuality = 4;

/** Compresses answers when they are created. */
export const compress: Compress = (text, acceptEncoding) => {
  const encoding = acceptedEncoding(acceptEncoding);
  if (encoding === null) return null;
  return pack(text, encoding, quickQuality).then((content) => ({ encoding, content }));
};
