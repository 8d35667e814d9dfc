// Small pictures as cameras and programs write them, with what they note beside the picture.

type Bytes = Uint8Array<ArrayBuffer>;

const bytesOf = (...parts: (string | number | readonly number[] | Bytes)[]): Bytes =>
  Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === 'string'
        ? [...part].map((letter) => letter.charCodeAt(0))
        : typeof part === 'number'
          ? [part]
          : [...part],
    ),
  );

const base64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(''));

const big16 = (value: number) => [value >> 8, value & 255];
const big32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const little16 = (value: number) => [value & 255, value >> 8];
const little32 = (value: number) => big32(value).toReversed();

/** What nobody may find in a stored photo. */
export const noted = 'GPS -6.2088 106.8456 Budi';

interface Sides {
  width?: number;
  height?: number;
}

const segment = (code: number, ...parts: Parameters<typeof bytesOf>): Bytes => {
  const payload = bytesOf(...parts);
  return bytesOf(0xff, code, big16(payload.length + 2), payload);
};

export const jpegParts = ({ width = 128, height = 128 }: Sides = {}) => ({
  start: bytesOf(0xff, 0xd8),
  jfif: segment(0xe0, 'JFIF\0', 1, 1, 0, 0, 1, 0, 1, 0, 0),
  exif: segment(0xe1, 'Exif\0\0', noted),
  profile: segment(0xe2, 'ICC_PROFILE\0', noted),
  comment: segment(0xfe, noted),
  table: segment(0xdb, 0, new Uint8Array(64).fill(1)),
  frame: segment(0xc0, 8, big16(height), big16(width), 3, [1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]),
  codes: segment(0xc4, 0, 1, new Uint8Array(15), 0),
  scan: bytesOf(segment(0xda, 3, [1, 0, 2, 0, 3, 0], 0, 63, 0), [0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
  end: bytesOf(0xff, 0xd9),
});

export const joinParts = (parts: readonly Uint8Array[]): Bytes => bytesOf(...(parts as Bytes[]));

export const jpeg = (sides: Sides = {}, after: string | Bytes = ''): Bytes =>
  bytesOf(joinParts(Object.values(jpegParts(sides))), after);

const crcOf = (bytes: Uint8Array): number => {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
};

export const pngChunk = (kind: string, ...parts: Parameters<typeof bytesOf>): Bytes => {
  const payload = bytesOf(...parts);
  return bytesOf(big32(payload.length), kind, payload, big32(crcOf(bytesOf(kind, payload))));
};

export const pngHead = bytesOf(0x89, 'PNG\r\n', 0x1a, '\n');

export const png = ({ width = 128, height = 128 }: Sides = {}, after = ''): Bytes =>
  bytesOf(
    pngHead,
    pngChunk('IHDR', big32(width), big32(height), 8, 2, 0, 0, 0),
    pngChunk('tEXt', 'Author\0', noted),
    pngChunk('eXIf', noted),
    pngChunk('IDAT', [0x78, 0x9c, 3, 0, 0, 0, 0, 1]),
    pngChunk('IEND'),
    after,
  );

const chunk = (kind: string, payload: Bytes): Bytes =>
  bytesOf(kind, little32(payload.length), payload, payload.length % 2 === 1 ? 0 : []);

const riff = (...chunks: Bytes[]): Bytes => {
  const content = joinParts(chunks);
  return bytesOf('RIFF', little32(content.length + 4), 'WEBP', content);
};

const lossy = ({ width = 128, height = 128 }: Sides) =>
  chunk('VP8 ', bytesOf(0x10, 0, 0, 0x9d, 0x01, 0x2a, little16(width), little16(height), [1, 2, 3]));
const extended = (flags: number, { width = 128, height = 128 }: Sides) =>
  chunk('VP8X', bytesOf(flags, 0, 0, 0, little32(width - 1).slice(0, 3), little32(height - 1).slice(0, 3)));

export const webp = (sides: Sides = {}): Bytes =>
  riff(
    extended(0x3c, sides),
    chunk('ICCP', bytesOf(noted)),
    chunk('ALPH', bytesOf(0, 9, 9)),
    lossy(sides),
    chunk('EXIF', bytesOf(noted)),
    chunk('XMP ', bytesOf(noted)),
  );

/** The same picture without what is noted. */
export const bareWebp = (): Bytes => riff(extended(0x10, {}), chunk('ALPH', bytesOf(0, 9, 9)), lossy({}));

export const animatedWebp = (): Bytes =>
  riff(extended(0x02, {}), chunk('ANIM', bytesOf(0, 0, 0, 0, 0, 0)), lossy({}));

export const asBase64 = base64;
