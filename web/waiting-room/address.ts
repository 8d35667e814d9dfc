// Pure: a screen's content and sound are set in its address, so that a television needs only a bookmark.

export type Look = 'gelap' | 'terang';
/** Chime and words, only the chime, or nothing. */
export type Voice = 'id' | 'nada' | 'mati';

export interface Settings {
  /** The prefixes of the queues that are shown; none means all of the day. */
  queues: readonly string[];
  voice: Voice;
  look: Look;
  /** In per cent. */
  volume: number;
  language: 'id' | 'en';
}

export const usual: Settings = { queues: [], voice: 'id', look: 'gelap', volume: 80, language: 'id' };

export const voices: readonly Voice[] = ['id', 'nada', 'mati'];
const everyQueue = 'semua';

/** The prefixes in a text that somebody typed: capital letters, each once. */
export const prefixesIn = (text: string): string[] => [
  ...new Set(
    text
      .toUpperCase()
      .split(/[^A-Z]+/)
      .filter((prefix) => prefix !== '' && prefix.length <= 3),
  ),
];

const parseVolume = (text: string | null): number => {
  const volume = text === null || text === '' ? Number.NaN : Number(text);
  return Number.isFinite(volume) ? Math.min(100, Math.max(0, Math.round(volume))) : usual.volume;
};

/** The settings in an address; missing or invalid ones get their defaults. */
export const parseSettings = (search: string): Settings => {
  const params = new URLSearchParams(search);
  const queues = params.get('antrean') ?? '';
  return {
    queues: queues.toLowerCase() === everyQueue ? [] : prefixesIn(queues),
    voice: voices.find((voice) => voice === params.get('suara')) ?? usual.voice,
    look: params.get('tema') === 'terang' ? 'terang' : 'gelap',
    volume: parseVolume(params.get('volume')),
    language: params.get('bahasa') === 'en' ? 'en' : 'id',
  };
};

/** The address of a screen with these settings, from its question mark on. */
export const buildAddress = ({ queues, voice, look, volume, language }: Settings): string => {
  const params = new URLSearchParams();
  params.set('antrean', queues.length === 0 ? everyQueue : queues.join(','));
  params.set('suara', voice);
  params.set('tema', look);
  params.set('volume', String(volume));
  if (language !== usual.language) params.set('bahasa', language);
  return `?${params.toString().replace(/%2C/g, ',')}`;
};

/** Whether an address opens the screen itself; any other opens the choice, as does `atur`. */
export const isScreen = (search: string): boolean => {
  const params = new URLSearchParams(search);
  return params.has('antrean') && !params.has('atur');
};
