// Pure: which pictures may be the clinic's logo.

/** How large a logo may be: it travels within a JSON body. */
const maxLogoBytes = 32_768;

// By their first bytes, whatever the declared type. SVG is not allowed, since it can contain a program.
const detectKind = (binary: string): string | undefined => {
  if (binary.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (binary.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  return binary.startsWith('RIFF') && binary.startsWith('WEBP', 8) ? 'image/webp' : undefined;
};

/** The bytes of base64 text, one character each; null if it is invalid. */
const decodeBinary = (base64: string): string | null => {
  try {
    return atob(base64);
  } catch {
    return null;
  }
};

/** The media type of a picture in base64, from its first bytes. */
export const detectContentType = (base64: string): string | undefined => {
  const binary = decodeBinary(base64);
  return binary === null || binary.length > maxLogoBytes ? undefined : detectKind(binary);
};

export const decodeBytes = (base64: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
