const readBase64 = async (blob: Blob): Promise<string> => {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
};

/** What a stored picture may be: types in the order of preference, sizes from the largest. */
interface Wanted {
  types: readonly string[];
  widths: readonly number[];
  maxBytes: number;
  /** Cut to a square in the middle. */
  isSquare?: boolean;
}

const logo: Wanted = {
  types: ['image/webp', 'image/png'],
  widths: [480, 320, 240, 160, 96],
  maxBytes: 32_768,
};
const photo: Wanted = {
  types: ['image/webp', 'image/jpeg'],
  widths: [480, 400, 320, 240],
  maxBytes: 40_960,
  isSquare: true,
};

const drawn = async (
  picture: ImageBitmap,
  width: number,
  type: string,
  { isSquare }: Wanted,
): Promise<Blob | null> => {
  const { width: w, height: h } = picture;
  const canvas = document.createElement('canvas');
  const pen = () => canvas.getContext('2d');
  if (isSquare) {
    const side = Math.min(w, h);
    canvas.width = canvas.height = width;
    pen()?.drawImage(picture, (w - side) / 2, (h - side) / 2, side, side, 0, 0, width, width);
  } else {
    const scale = Math.min(1, width / Math.max(w, h));
    canvas.width = Math.max(1, Math.round(w * scale));
    canvas.height = Math.max(1, Math.round(h * scale));
    pen()?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  }
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.85));
};

export interface Picture {
  /** For the service. */
  base64: string;
  /** For the page. */
  url: string;
}

const asPicture = async (blob: Blob): Promise<Picture> => {
  const base64 = await readBase64(blob);
  return { base64, url: `data:${blob.type};base64,${base64}` };
};

/** The picture to store: drawn again, to remove the metadata of the file and to make it small enough. */
const redrawn = async (file: Blob, wanted: Wanted): Promise<Picture | null> => {
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return null;
  for (const width of wanted.widths)
    for (const type of wanted.types) {
      const blob = await drawn(picture, width, type, wanted);
      // A browser that cannot write a type answers with another.
      if (blob !== null && blob.type === type && blob.size <= wanted.maxBytes) return asPicture(blob);
    }
  return null;
};

export const shrinkPicture = (file: Blob) => redrawn(file, logo);

/** A photo of a person as the service stores it. */
export const squarePhoto = (file: Blob) => redrawn(file, photo);
