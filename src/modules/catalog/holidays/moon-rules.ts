// Pure: the positions of sun and moon, as exactly as a calendar needs them (a few hundredths of a degree). The series
// are the largest terms of those in J. Meeus, Astronomical Algorithms, chapters 12, 25 and 47.

import { dayMs, hourMs } from '../../../core/clinic/durations.ts';

const epoch = Date.UTC(2000, 0, 1, 12);
/** Dynamical time minus UTC (delta T) in this half of the century. */
const deltaMs = 72_000;
const month = 29.530588861 * dayMs;
/** The new moon with which months are counted: it began Syawal 1420. */
const firstNewMoon = Date.UTC(2000, 0, 6, 18, 14);

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const degrees = (angle: number): number => (angle * 180) / Math.PI;
const sin = (angle: number): number => Math.sin(radians(angle));
const cos = (angle: number): number => Math.cos(radians(angle));
/** Between -180 and 180. */
const around = (angle: number): number => ((((angle + 180) % 360) + 360) % 360) - 180;

type Term = readonly [size: number, d: number, m: number, moon: number, f: number];

const longitudeTerms: readonly Term[] = [
  [6.288774, 0, 0, 1, 0],
  [1.274027, 2, 0, -1, 0],
  [0.658314, 2, 0, 0, 0],
  [0.213618, 0, 0, 2, 0],
  [-0.185116, 0, 1, 0, 0],
  [-0.114332, 0, 0, 0, 2],
  [0.058793, 2, 0, -2, 0],
  [0.057066, 2, -1, -1, 0],
  [0.053322, 2, 0, 1, 0],
  [0.045758, 2, -1, 0, 0],
  [-0.040923, 0, 1, -1, 0],
  [-0.03472, 1, 0, 0, 0],
  [-0.030383, 0, 1, 1, 0],
  [0.015327, 2, 0, 0, -2],
  [-0.012528, 0, 0, 1, 2],
  [0.01098, 0, 0, 1, -2],
  [0.010675, 4, 0, -1, 0],
  [0.010034, 0, 0, 3, 0],
  [0.008548, 4, 0, -2, 0],
  [-0.007888, 2, 1, -1, 0],
  [-0.006766, 2, 1, 0, 0],
  [-0.005163, 1, 0, -1, 0],
];

const latitudeTerms: readonly Term[] = [
  [5.128122, 0, 0, 0, 1],
  [0.280602, 0, 0, 1, 1],
  [0.277693, 0, 0, 1, -1],
  [0.173237, 2, 0, 0, -1],
  [0.055413, 2, 0, -1, 1],
  [0.046271, 2, 0, -1, -1],
  [0.032573, 2, 0, 0, 1],
  [0.017198, 0, 0, 2, 1],
];

/** Centuries since 2000, and the angles that everything follows from. */
const sky = (at: number) => {
  const t = (at + deltaMs - epoch) / (36_525 * dayMs);
  return {
    t,
    d: 297.8501921 + 445267.1114034 * t,
    m: 357.5291092 + 35999.0502909 * t,
    moon: 134.9633964 + 477198.8675055 * t,
    f: 93.272095 + 483202.0175233 * t,
  };
};

const sumTerms = (terms: readonly Term[], { d, m, moon, f }: ReturnType<typeof sky>): number =>
  terms.reduce((sum, [size, a, b, c, e]) => sum + size * sin(a * d + b * m + c * moon + e * f), 0);

const sunLongitude = (at: number): number => {
  const { t, m } = sky(at);
  const centre = 1.914602 * sin(m) + 0.019993 * sin(2 * m) + 0.000289 * sin(3 * m);
  return 280.46646 + 36000.76983 * t + centre - 0.00569;
};

const moonAt = (at: number) => {
  const now = sky(at);
  return {
    longitude: 218.3164477 + 481267.88123421 * now.t + sumTerms(longitudeTerms, now),
    latitude: sumTerms(latitudeTerms, now),
    parallax: 0.9508 + 0.0518 * cos(now.moon) + 0.0095 * cos(2 * now.d - now.moon) + 0.0078 * cos(2 * now.d),
  };
};

/** When the moon is this many degrees ahead of the sun, in the lunar month of `near`. */
const phaseNear = (near: number, ahead: number): number => {
  let at = near;
  for (let round = 0; round < 6; round++)
    at -= (around(moonAt(at).longitude - sunLongitude(at) - ahead) / 360) * month;
  return at;
};

/** The new moon of a month, in milliseconds; months are counted from Syawal 1420. */
export const newMoon = (n: number): number => phaseNear(firstNewMoon + n * month, 0);

/** The full moon after it. */
export const fullMoon = (n: number): number => phaseNear(firstNewMoon + (n + 0.5) * month, 180);

/** The number of the first month whose new moon, or full moon, is not before an instant. */
export const firstFrom = (at: number, phase: (n: number) => number): number => {
  let n = Math.floor((at - firstNewMoon) / month) - 2;
  while (phase(n) < at) n++;
  return n;
};

interface Place {
  latitude: number;
  longitude: number;
}

/** The altitude of a celestial body in degrees, seen from the centre of the earth. */
const altitude = (at: number, place: Place, longitude: number, latitude: number): number => {
  const tilt = 23.4393;
  const ascension = Math.atan2(
    sin(longitude) * cos(tilt) - Math.tan(radians(latitude)) * sin(tilt),
    cos(longitude),
  );
  const declination = Math.asin(sin(latitude) * cos(tilt) + cos(latitude) * sin(tilt) * sin(longitude));
  const turned = 280.46061837 + (360.98564736629 * (at - epoch)) / dayMs + place.longitude;
  const hour = radians(turned) - ascension;
  return degrees(
    Math.asin(
      sin(place.latitude) * Math.sin(declination) +
        cos(place.latitude) * Math.cos(declination) * Math.cos(hour),
    ),
  );
};

/** When the sun sets on a day, given by midnight UTC of its date. */
const sunset = (midnight: number, place: Place): number => {
  const noon = midnight + 12 * hourMs - (place.longitude / 15) * hourMs;
  let [above, below] = [noon, noon + 12 * hourMs];
  for (let round = 0; round < 30; round++) {
    const middle = (above + below) / 2;
    if (altitude(middle, place, sunLongitude(middle), 0) > -0.8333) above = middle;
    else below = middle;
  }
  return above;
};

// The western coasts of the country from north to south: nowhere in it the moon of an evening is older.
const coasts: readonly Place[] = [
  { latitude: 6, longitude: 95.1 },
  { latitude: 2.5, longitude: 95.9 },
  { latitude: -1.5, longitude: 98.8 },
  { latitude: -3.3, longitude: 100.3 },
  { latitude: -5.4, longitude: 102.2 },
  { latitude: -7.2, longitude: 106.4 },
];

/** How much higher air lets the moon appear, so near the horizon. */
const refraction = 0.2;

/**
 * Whether the crescent can be seen from Indonesia on the evening of a date, by the criteria of MABIMS that the
 * government uses since 2022: at sunset 3 degrees high, and 6.4 degrees away from the sun. Pure arithmetic: the
 * government may decide otherwise.
 */
export const isCrescentSeen = (midnight: number): boolean =>
  coasts.some((place) => {
    const at = sunset(midnight, place);
    const sun = sunLongitude(at);
    const { longitude, latitude, parallax } = moonAt(at);
    const apart = degrees(Math.acos(cos(latitude) * cos(longitude - sun)));
    const height = altitude(at, place, longitude, latitude);
    return around(longitude - sun) > 0 && height - parallax * cos(height) + refraction >= 3 && apart >= 6.4;
  });
