const types = ['image/webp', 'image/png'] as const;
/** The formats that the service accepts. */
const maxBytes = 32_768;
const widths = [480, 320, 240, 160, 96];

const readBase64 = async (blob: Blob): Promise<string> => {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
};

const drawn = async (picture: ImageBitmap, width: number, type: string): Promise<Blob | null> => {
  const scale = Math.min(1, width / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, type));
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
export const shrinkPicture = async (file: Blob): Promise<Picture | null> => {
  const picture = await createImageBitmap(file).catch(() => null);
  if (picture === null) return null;
  for (const width of widths)
    for (const type of types) {
      const blob = await drawn(picture, width, type);
      // A browser that cannot write a type answers with another.
      if (blob !== null && blob.type === type && blob.size <= maxBytes) return asPicture(blob);
    }
  return null;
};
