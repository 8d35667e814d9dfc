import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cleanPicture, maxPhotoBytes } from '../../src/modules/catalog/pages/picture-rules.ts';
import {
  animatedWebp,
  bareWebp,
  joinParts,
  jpeg,
  jpegParts,
  noted,
  png,
  pngChunk,
  pngHead,
  webp,
} from '../support/photos.ts';

const textOf = (bytes: Uint8Array): string => Array.from(bytes, (one) => String.fromCharCode(one)).join('');

describe('a photo', () => {
  it('is stored without what a camera or a program noted', () => {
    for (const [picture, contentType] of [
      [jpeg(), 'image/jpeg'],
      [png(), 'image/png'],
      [webp(), 'image/webp'],
    ] as const) {
      expect(textOf(picture)).toContain(noted);
      const clean = cleanPicture(picture);
      expect(clean?.contentType).toBe(contentType);
      const text = textOf(clean?.bytes ?? picture);
      expect(text).not.toContain('GPS');
      expect(text).not.toMatch(/Exif|eXIf|EXIF|XMP |ICC|tEXt/);
      // Cleaned again it stays as it is.
      expect(cleanPicture(clean?.bytes ?? picture)?.bytes).toEqual(clean?.bytes);
    }
  });

  it('keeps every part that draws it', () => {
    const { start, table, frame, codes, scan, end } = jpegParts();
    expect(cleanPicture(jpeg())?.bytes).toEqual(joinParts([start, table, frame, codes, scan, end]));
    expect(cleanPicture(webp())?.bytes).toEqual(bareWebp());
    const head = pngChunk('IHDR', [0, 0, 0, 128, 0, 0, 0, 128], 8, 2, 0, 0, 0);
    const data = pngChunk('IDAT', [0x78, 0x9c, 3, 0, 0, 0, 0, 1]);
    expect(cleanPicture(png())?.bytes).toEqual(joinParts([pngHead, head, data, pngChunk('IEND')]));
  });

  it('is refused if it is anything beside a picture, or no picture', () => {
    const text = (content: string) => Uint8Array.from(content, (letter) => letter.charCodeAt(0));
    const program = '<script>alert(1)</script>';
    const { start, exif, table, frame, codes, scan, end } = jpegParts();
    const wrong: Record<string, Uint8Array<ArrayBuffer>> = {
      svg: text('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
      gif: text('GIF89a'),
      nothing: new Uint8Array(),
      'a program after a JPEG': jpeg({}, program),
      'a program after a PNG': png({}, program),
      'a program after a WebP': joinParts([webp(), text(program)]),
      'two JPEGs': joinParts([jpeg(), jpeg()]),
      'a JPEG without an end': joinParts([start, table, frame, codes, scan]),
      'a JPEG without a picture': joinParts([start, exif, end]),
      'a JPEG without a frame': joinParts([start, table, codes, scan, end]),
      'a JPEG in RGB by a note': joinParts([
        start,
        Uint8Array.from([0xff, 0xee, 0, 14, ...text('Adobe'), 0, 100, 0, 0, 0, 0, 0]),
        table,
        frame,
        codes,
        scan,
        end,
      ]),
      'a damaged PNG': png().map((byte, at) => (at === 60 ? byte ^ 1 : byte)),
      'a PNG with a part that nobody knows': joinParts([
        png().subarray(0, 33),
        pngChunk('ABCD', 1),
        png().subarray(33),
      ]),
      'a table that is none': joinParts([
        start,
        Uint8Array.from([0xff, 0xdb, 0, 12, ...text('rahasia...')]),
        table,
        frame,
        codes,
        scan,
        end,
      ]),
      'an animation': animatedWebp(),
    };
    for (const [what, bytes] of Object.entries(wrong))
      expect([what, cleanPicture(bytes)]).toEqual([what, null]);
  });

  it('has sides of 64 to 1,024 pixels and at most 40 KiB', () => {
    for (const make of [jpeg, png, webp]) {
      expect(cleanPicture(make({ width: 64, height: 1_024 }))).not.toBeNull();
      expect(cleanPicture(make({ width: 63 }))).toBeNull();
      expect(cleanPicture(make({ height: 1_025 }))).toBeNull();
    }
    const { start, comment, table, frame, codes, scan, end } = jpegParts();
    const filled = (length: number) =>
      joinParts([start, comment, table, frame, codes, scan, new Uint8Array(length), end]);
    const left = maxPhotoBytes - filled(0).length;
    expect(cleanPicture(filled(left))).not.toBeNull();
    expect(cleanPicture(filled(left + 1))).toBeNull();
  });

  it('that is cut off or altered anywhere never breaks the service', () => {
    const pictures = [jpeg(), png(), webp()];
    fc.assert(
      fc.property(
        fc.constantFrom(...pictures),
        fc.nat(400),
        fc.array(fc.tuple(fc.nat(300), fc.nat(255)), { maxLength: 6 }),
        (picture, cut, changes) => {
          const bytes = Uint8Array.from(picture.subarray(0, picture.length - (cut % picture.length)));
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          const clean = cleanPicture(bytes);
          // What is accepted stays accepted.
          if (clean !== null) expect(cleanPicture(clean.bytes)).toEqual(clean);
        },
      ),
    );
  });
});
