/// <reference types="vite/client" />
const files: Readonly<Record<string, string>> = import.meta.glob('./voice-clips/*.mp3', {
  query: '?url',
  import: 'default',
  eager: true,
});

/** The recorded words, by their file's name. Every file in voice-clips/ can be spoken. */
export const clips: readonly (readonly [word: string, url: string])[] = Object.entries(files).map(
  ([path, url]) => [path.slice('./voice-clips/'.length, -'.mp3'.length), url] as const,
);
