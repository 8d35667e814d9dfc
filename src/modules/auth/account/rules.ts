const browsers: readonly [name: string, form: RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|CriOS)\//],
  ['Safari', /\bVersion\/[\d.]+ .*Safari\//],
];

const systems: readonly [name: string, form: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iPad', /\biPad\b/],
  ['iPhone', /\biPhone\b/],
  ['Windows', /\bWindows\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['macOS', /\bMac OS X\b|\bMacintosh\b/],
  ['Linux', /\bLinux\b/],
];

const nameIn = (names: typeof browsers, userAgent: string) =>
  names.find(([, form]) => form.test(userAgent))?.[0];

/**
 * Describes a User-Agent in words, such as "Chrome, Android". A client that is not a browser is named by its product
 * alone ("okhttp"); the text is empty if nothing is known.
 */
export const deviceWords = (userAgent: string): string => {
  const product = /^([\p{L}\p{N}._ -]{1,60})\//u.exec(userAgent)?.[1];
  const application = nameIn(browsers, userAgent) ?? (product === 'Mozilla' ? undefined : product);
  return [application, nameIn(systems, userAgent)].filter(Boolean).join(', ');
};
