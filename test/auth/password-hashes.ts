const OURS = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Made from 'парольСЕКРЕТ'. */
export const SOUND = `${OURS}uOyQfljEhG9AptkN93fiQw$KiOOPiIjVyveYsE1/R0H4cokxJJrOTxoIyN/U7pueAo`;

/** Of one password each: made by @node-rs/argon2 on Node, and by the wasm in workerd. */
export const VECTORS = [
  {
    password: 'парольСЕКРЕТ',
    node: SOUND,
    workerd: `${OURS}JHZOmGO9H2seDqbMdK3ZVg$ue6A4I3vgrJACFSfF00gxA3hJUs0WT7RqQMD/w0fabM`,
  },
  {
    password: 'nul\0inside it',
    node: `${OURS}V5e4PAvtUxcUgoc9vokyZg$trEZKNZlHH5Niiq1Cm25YnABqHhcqj/o7Ader3Md2bM`,
    workerd: `${OURS}f81adOwKj0SZ4QJh2lYP9g$EEe3KABVkYbQahY6IEQ2UAVOTg4bIFGmdrGhWdPYwWM`,
  },
  {
    password: '😀'.repeat(128),
    node: `${OURS}U7DvspbbeHy2BX6OFK2EOw$bNxzaHd30V1Z3UIItGOQOhmitdV0pj9uhwL5rsOfpWI`,
    workerd: `${OURS}vQtecQ+BoSfW0bbBdhY9uQ$cWnv5qj/D23cMKPowMv2hvmJyoFKcGkgi5NPYN7rCW0`,
  },
];

/** All of these were made by @node-rs/argon2 from 'correct horse', so they would verify if they were let in. */
export const STRONGER = [
  '$argon2id$v=19$m=19457,t=2,p=1$zhW39kp02Mu5DHtj40TeKg$GY9WM33AoL6zyAF/r4W9alpLNI3guiJggubRPBQXuVk',
  '$argon2id$v=19$m=19456,t=3,p=1$zkoaQPhIWDXQFZtsFtiaCw$MdqiF6vtLEBehkIa0pW0ji38cAU3/sXIC0X81h0JS2w',
  '$argon2id$v=19$m=19456,t=2,p=2$bnhHmp3LA0Vdu3AOJQS00A$e4+V1ICeOhh/D3GFQBbOKwBu/VJLz3Z+FLbw2Zbwli4',
];
export const WEAKER = [
  '$argon2id$v=19$m=8192,t=2,p=1$3yT6mC24SyOcU78Fxgliiw$gEDmg6X1YIzl44Cs3at95i0XhYIzMRHl20CHqhNsXNY',
  '$argon2id$v=19$m=19456,t=1,p=1$9VTqn3EiU+7GuNkRV4MpSw$PxbwblLiLYoKMFWJ9PxUzDIwx1OztyLrshevSpT026o',
];
export const ARGON2I =
  '$argon2i$v=19$m=19456,t=2,p=1$VWmibDTzh3uNigZ90qlESA$+K0DqXLqzJXP7YJQ/ZXF83iGkVBCr7NZ6GhltyDUBXc';

export const MALFORMED = [
  '',
  'парольСЕКРЕТ',
  '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy',
  SOUND.slice(1),
  ` ${SOUND}`,
  `${SOUND}\n`,
  `${SOUND}\0`,
  `${SOUND}$`,
  `${SOUND}=`,
  SOUND.slice(0, -2),
  SOUND.replace('v=19$', ''),
  SOUND.replace('v=19', 'v=16'),
  SOUND.replace('m=19456,t=2', 't=2,m=19456'),
  SOUND.replace('t=2', 't=02'),
  SOUND.replace('t=2', 't=0'),
  SOUND.replace('p=1', 'p=0'),
  SOUND.replace('m=19456', 'm=7'),
  SOUND.replace('m=19456', 'm=1e4'),
  SOUND.replace('p=1', 'p=1,keyid=AA'),
  SOUND.replace('uOyQfljEhG9AptkN93fiQw', 'uOyQ'),
  SOUND.replace('fiQw', 'fiQx'),
  SOUND.replace('KiOO', 'K-OO'),
  SOUND.replace('KiOO', 'K OO'),
];
