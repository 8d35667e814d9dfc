// Pure: which photos are stored, and what of them. A photo is taken apart by its format and put together again from the
// parts that draw it: what a camera or a program noted in it (place, device, time, names, colour profiles, comments) is
// left out. What does not follow its format to the last byte is refused, so that no file is a picture and something else.

/** How large a stored photo may be: it travels within a JSON body. */
export const maxPhotoBytes = 40_960;
const sides = { least: 64, most: 1_024 };

interface CleanPicture {
  contentType: 'image/jpeg' | 'image/png' | 'image/webp';
  bytes: Uint8Array<ArrayBuffer>;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Thrown within this file for whatever does not follow its format. */
class Malformed extends Error {}

const refuseUnless: (holds: boolean) => asserts holds = (holds) => {
  if (!holds) throw new Malformed();
};

const joined = (parts: readonly Bytes[]): Bytes => {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

const viewOf = (bytes: Bytes): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const latin = (bytes: Bytes, from: number, to: number): string =>
  String.fromCharCode(...bytes.subarray(from, to));

const assertSides = (width: number, height: number): void =>
  refuseUnless([width, height].every((side) => side >= sides.least && side <= sides.most));

// JPEG (ITU T.81). Kept: tables, the frame, scans. Baseline and progressive with Huffman codes, as browsers draw them.
const marker = { soi: 0xd8, eoi: 0xd9, sos: 0xda, com: 0xfe, adobe: 0xee } as const;
const frames = [0xc0, 0xc1, 0xc2];

const sum = (numbers: Uint8Array): number => numbers.reduce((total, one) => total + one, 0);
/** How long a table is, from its first bytes; a segment has one or several and nothing else. */
const tableLengths: Readonly<Record<number, (table: Bytes) => number>> = {
  // Quantization: 64 values of one byte or two.
  219: ([head = 0xff]) => (head >> 5 === 0 ? 1 + 64 * (1 + (head >> 4)) : 0),
  // Huffman codes: how many there are of each length, and their symbols.
  196: (table) => (table.length >= 17 ? 17 + sum(table.subarray(1, 17)) : 0),
  // The distance of restarts.
  221: ({ length }) => (length === 2 ? 2 : 0),
};

const assertTables = (segment: Bytes, lengthOf: (table: Bytes) => number): void => {
  let at = 0;
  do {
    const length = lengthOf(segment.subarray(at));
    refuseUnless(length > 0 && at + length <= segment.length);
    at += length;
  } while (at < segment.length);
};
const isRestart = (code: number): boolean => code >= 0xd0 && code <= 0xd7;
const isNote = (code: number): boolean => (code >= 0xe0 && code <= 0xef) || code === marker.com;

/** Where the coded data of a scan ends: at the first marker that is no restart. */
const endOfScan = (bytes: Bytes, from: number): number => {
  for (let at = from; at + 1 < bytes.length; at += 1) {
    const next = bytes[at + 1] ?? 0;
    if (bytes[at] === 0xff && next !== 0 && !isRestart(next)) return at;
  }
  throw new Malformed();
};

/** An Adobe note may say that three colours are RGB: without the note they would be read as YCbCr. */
const isOtherwiseColoured = (segment: Bytes): boolean =>
  segment.length >= 14 && latin(segment, 2, 7) === 'Adobe' && segment[13] === 0;

const cleanJpeg = (bytes: Bytes): Bytes => {
  const view = viewOf(bytes);
  const kept = [bytes.subarray(0, 2)];
  let at = 2;
  let [hasFrame, scans] = [false, 0];
  for (;;) {
    refuseUnless(at + 4 <= bytes.length || (at + 2 === bytes.length && bytes[at + 1] === marker.eoi));
    refuseUnless(bytes[at] === 0xff);
    const code = bytes[at + 1] ?? 0;
    if (code === marker.eoi) {
      refuseUnless(hasFrame && scans > 0 && at + 2 === bytes.length);
      return joined([...kept, bytes.subarray(at)]);
    }
    const length = view.getUint16(at + 2);
    const end = at + 2 + length;
    refuseUnless(length >= 2 && end <= bytes.length);
    const segment = bytes.subarray(at + 2, end);
    const lengthOf = tableLengths[code];
    if (frames.includes(code)) {
      const components = segment[7];
      refuseUnless(!hasFrame && (components === 1 || components === 3) && length === 8 + 3 * components);
      assertSides(view.getUint16(at + 7), view.getUint16(at + 5));
      hasFrame = true;
      kept.push(bytes.subarray(at, end));
    } else if (code === marker.sos) {
      refuseUnless(hasFrame);
      scans += 1;
      const endOfData = endOfScan(bytes, end);
      kept.push(bytes.subarray(at, endOfData));
      at = endOfData;
      continue;
    } else if (lengthOf !== undefined) {
      assertTables(segment.subarray(2), lengthOf);
      kept.push(bytes.subarray(at, end));
    } else refuseUnless(isNote(code) && !(code === marker.adobe && isOtherwiseColoured(segment)));
    at = end;
  }
};

// PNG (ISO/IEC 15948). Kept: size, palette, transparency, picture. A part that a reader must know is refused if it is none
// of these.
const drawing = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'];

const crcTable = Uint32Array.from({ length: 256 }, (_, start) => {
  let crc = start;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});
const computeCrc = (bytes: Bytes): number =>
  (bytes.reduce((crc, byte) => (crcTable[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8), 0xffffffff) ^
    0xffffffff) >>>
  0;

const cleanPng = (bytes: Bytes): Bytes => {
  const view = viewOf(bytes);
  const kept = [bytes.subarray(0, 8)];
  let at = 8;
  for (let nth = 0; ; nth += 1) {
    refuseUnless(at + 12 <= bytes.length);
    const length = view.getUint32(at);
    const end = at + 12 + length;
    refuseUnless(end <= bytes.length);
    const kind = latin(bytes, at + 4, at + 8);
    refuseUnless(
      /^[A-Za-z]{4}$/.test(kind) && view.getUint32(end - 4) === computeCrc(bytes.subarray(at + 4, end - 4)),
    );
    refuseUnless((nth === 0) === (kind === 'IHDR'));
    if (nth === 0) {
      refuseUnless(length === 13);
      assertSides(view.getUint32(at + 8), view.getUint32(at + 12));
    }
    if (drawing.includes(kind)) kept.push(bytes.subarray(at, end));
    // A small first letter says that the picture is the same without it.
    else refuseUnless(/^[a-z]/.test(kind));
    at = end;
    if (kind !== 'IEND') continue;
    refuseUnless(at === bytes.length && length === 0 && kept.length >= 4 - Number(!isIndexed(bytes)));
    return joined(kept);
  }
};
const isIndexed = (png: Bytes): boolean => png[25] === 3;

// WebP (RFC 9649). Kept: the still picture and its transparency; an animation is refused.
const fourCc = (bytes: Bytes, at: number): string => latin(bytes, at, at + 4);

/** Width and height in the head of the coded picture. */
const sidesOfWebp = (kind: string, payload: Bytes): [number, number] => {
  refuseUnless(payload.length >= 10);
  const view = viewOf(payload);
  if (kind === 'VP8L') {
    refuseUnless(payload[0] === 0x2f);
    const bits = view.getUint32(1, true);
    // Three bits of version, which are zero.
    refuseUnless(bits >>> 29 === 0);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  const isKeyFrame = ((payload[0] ?? 1) & 1) === 0;
  refuseUnless(isKeyFrame && payload[3] === 0x9d && payload[4] === 0x01 && payload[5] === 0x2a);
  return [view.getUint16(6, true) & 0x3fff, view.getUint16(8, true) & 0x3fff];
};

const chunk = (kind: string, payload: Bytes): Bytes => {
  const bytes = new Uint8Array(8 + payload.length + (payload.length & 1));
  bytes.set(Uint8Array.from(kind, (letter) => letter.charCodeAt(0)));
  viewOf(bytes).setUint32(4, payload.length, true);
  bytes.set(payload, 8);
  return bytes;
};

/** The extended head of a picture with transparency and nothing else. */
const extendedHead = ([width, height]: [number, number]): Bytes => {
  const payload = new Uint8Array(10);
  payload[0] = 0x10;
  const view = viewOf(payload);
  view.setUint16(4, width - 1, true);
  view.setUint16(7, height - 1, true);
  return chunk('VP8X', payload);
};

const cleanWebp = (bytes: Bytes): Bytes => {
  const view = viewOf(bytes);
  refuseUnless(bytes.length >= 12 && view.getUint32(4, true) === bytes.length - 8);
  const found = new Map<string, Bytes>();
  let at = 12;
  while (at < bytes.length) {
    refuseUnless(at + 8 <= bytes.length);
    const kind = fourCc(bytes, at);
    const length = view.getUint32(at + 4, true);
    const end = at + 8 + length;
    refuseUnless(end + (length & 1) <= bytes.length && !found.has(kind));
    found.set(kind, bytes.subarray(at + 8, end));
    at = end + (length & 1);
  }
  refuseUnless(!found.has('ANIM') && !found.has('ANMF'));
  const [kind, payload] = [...found].find(([one]) => one === 'VP8 ' || one === 'VP8L') ?? [];
  refuseUnless(kind !== undefined && payload !== undefined && !(found.has('VP8 ') && found.has('VP8L')));
  const size = sidesOfWebp(kind, payload);
  assertSides(...size);
  const alpha = kind === 'VP8 ' ? found.get('ALPH') : undefined;
  const parts =
    alpha === undefined
      ? [chunk(kind, payload)]
      : [extendedHead(size), chunk('ALPH', alpha), chunk(kind, payload)];
  const head = chunk('RIFF', new Uint8Array(4));
  viewOf(head).setUint32(4, 4 + parts.reduce((sum, { length }) => sum + length, 0), true);
  head.set(
    Uint8Array.from('WEBP', (letter) => letter.charCodeAt(0)),
    8,
  );
  return joined([head, ...parts]);
};

const formats = [
  { contentType: 'image/jpeg', begins: '\xff\xd8\xff', at: 0, clean: cleanJpeg },
  { contentType: 'image/png', begins: '\x89PNG\r\n\x1a\n', at: 0, clean: cleanPng },
  { contentType: 'image/webp', begins: 'WEBP', at: 8, clean: cleanWebp },
] as const;

/** The photo without all that is not the picture; null if it is none of the formats, damaged, too large or too small. */
export const cleanPicture = (bytes: Bytes): CleanPicture | null => {
  if (bytes.length > maxPhotoBytes) return null;
  const format = formats.find(({ begins, at }) => latin(bytes, at, at + begins.length) === begins);
  if (format === undefined) return null;
  if (format.contentType === 'image/webp' && latin(bytes, 0, 4) !== 'RIFF') return null;
  try {
    return { contentType: format.contentType, bytes: format.clean(bytes) };
  } catch (error) {
    if (error instanceof Malformed) return null;
    throw error;
  }
};
