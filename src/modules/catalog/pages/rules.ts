import { cleanPicture, maxPhotoBytes } from './picture-rules.ts';

// Pure: the addresses of doctors' pages, and what of a photo is stored.

export const maxSlugLength = 80;
export const slugForm = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

export const isSlug = (text: string): boolean => text.length <= maxSlugLength && slugForm.test(text);

/** What the address of a doctor's page is made of unless somebody chooses it: the name without accents and signs. */
const toSlug = (name: string): string => {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  const slug = words.join('-').slice(0, 60).replace(/-$/, '');
  return slug === '' ? 'dokter' : slug;
};

/** The addresses that are tried in turn for a doctor who has none: of two with one name, the second has a part of its id. */
export const slugsToTry = (name: string, doctorId: string): string[] => [
  toSlug(name),
  `${toSlug(name)}-${doctorId.replaceAll('-', '').slice(-6)}`,
];

/** The bytes of base64 text; null if it is none, or longer than any photo may be. */
export const decodeBase64 = (text: string): Uint8Array<ArrayBuffer> | null => {
  if (text.length > Math.ceil(maxPhotoBytes / 3) * 4) return null;
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return null;
  }
};

export const encodeBase64 = (bytes: Uint8Array): string => {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary);
};

export const isPhoto = (bytes: Uint8Array<ArrayBuffer>): boolean => cleanPicture(bytes) !== null;
