/** Red, green and blue from 0 to 255. */
type Colour = readonly [number, number, number];

const parse = (hex: string): Colour => {
  const at = (from: number) => Number.parseInt(hex.slice(from, from + 2), 16);
  return [at(1), at(3), at(5)];
};
const toHex = (colour: Colour): string =>
  `#${colour.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;

const luminance = (colour: Colour): number => {
  const [red, green, blue] = colour.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (a: Colour, b: Colour): number => {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x) as [number, number];
  return (high + 0.05) / (low + 0.05);
};
const mix = (from: Colour, to: Colour, share: number): Colour =>
  from.map((part, at) => part + ((to[at] ?? 0) - part) * share) as [number, number, number];

const white: Colour = [255, 255, 255];
const black: Colour = [0, 0, 0];
/** Contrast of text, with a little to spare for the rounding of hexadecimal digits. */
const enough = 4.6;

/** The colour, mixed with another one until its contrast is enough on each background. */
const readable = (colour: Colour, towards: Colour, grounds: readonly Colour[]): Colour => {
  for (let share = 0; share < 1; share += 0.02) {
    const tried = mix(colour, towards, share);
    if (grounds.every((ground) => contrast(tried, ground) >= enough)) return tried;
  }
  return towards;
};

/** The tokens that a clinic's colour replaces, in one theme: with any colour, text on them is readable. */
export const accentTokens = (color: string, isDark: boolean): Readonly<Record<string, string>> => {
  const given = parse(color);
  const grounds = (isDark ? ['#0e1513', '#151e1b', '#0a100e'] : ['#f6f8f7', '#ffffff', '#ecf0ee']).map(parse);
  const [ink, paper] = isDark ? [white, black] : [black, white];
  const primary = readable(given, ink, grounds);
  const tint = mix(primary, grounds[1] ?? paper, 0.86);
  return {
    '--primary': toHex(primary),
    '--on-primary': toHex(readable(mix(primary, paper, 0.9), paper, [primary])),
    '--tint': toHex(tint),
    '--on-tint': toHex(readable(primary, ink, [tint])),
  };
};
