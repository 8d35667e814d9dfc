import { signal } from '@preact/signals';
import type { Clock } from '../logic/clock.ts';
import { clips } from './clips.ts';
import type { Sound } from './grammar.ts';

interface Word {
  buffer: AudioBuffer;
  /** The position of the word in its recording, in seconds: the silence before and after is left out. */
  from: number;
  length: number;
}

const silence = 0.01;

const trimWord = (buffer: AudioBuffer): Word => {
  const samples = buffer.getChannelData(0);
  let first = 0;
  let last = samples.length - 1;
  while (first < last && Math.abs(samples[first] ?? 0) < silence) first += 1;
  while (last > first && Math.abs(samples[last] ?? 0) < silence) last -= 1;
  const margin = 0.012;
  const from = Math.max(0, first / buffer.sampleRate - margin);
  return { buffer, from, length: Math.min(buffer.duration, last / buffer.sampleRate + margin) - from };
};

const chimeLength = 1.5;
const betweenTwice = 0.9;
const tones = [
  [659.25, 0, 1],
  [523.25, 0.45, 1],
  [1318.5, 0, 0.18],
  [1046.5, 0.45, 0.18],
] as const;

/** Plays a chime and recorded words. A browser allows sound after a gesture, or if it was started with permission. */
export const createPlayer = (clock: Clock, volume: number) => {
  const Context = (globalThis as { AudioContext?: typeof AudioContext }).AudioContext;
  const context = Context === undefined ? null : new Context();
  const isLocked = signal(context !== null && context.state !== 'running');
  const words = new Map<string, Word>();
  const gain = context?.createGain();
  if (context !== null && gain !== undefined) {
    gain.gain.value = volume / 100;
    gain.connect(context.destination);
    context.onstatechange = () => (isLocked.value = context.state !== 'running');
  }

  /** Fetches the recordings that are not loaded yet. */
  const load = async (): Promise<void> => {
    if (context === null) return;
    for (const [word, url] of clips) {
      if (words.has(word)) continue;
      try {
        const answer = await fetch(url);
        if (answer.ok) words.set(word, trimWord(await context.decodeAudioData(await answer.arrayBuffer())));
      } catch {
        // Without the network the next call tries again; until then the chime is heard.
      }
    }
  };

  const chime = (audio: AudioContext, out: GainNode, at: number): void => {
    for (const [frequency, delay, share] of tones) {
      const tone = audio.createOscillator();
      const fade = audio.createGain();
      tone.frequency.value = frequency;
      fade.gain.setValueAtTime(0.0001, at + delay);
      fade.gain.exponentialRampToValueAtTime(0.4 * share, at + delay + 0.02);
      fade.gain.exponentialRampToValueAtTime(0.0001, at + delay + 1);
      tone.connect(fade);
      fade.connect(out);
      tone.start(at + delay);
      tone.stop(at + delay + 1.05);
    }
  };

  const passage = (audio: AudioContext, out: GainNode, sounds: readonly Sound[], from: number): number => {
    let at = from;
    for (const sound of sounds) {
      const word = typeof sound === 'number' ? undefined : words.get(sound);
      if (word !== undefined) {
        const source = audio.createBufferSource();
        source.buffer = word.buffer;
        source.connect(out);
        source.start(at, word.from, word.length);
        at += word.length;
      } else if (typeof sound === 'number') at += sound / 1000;
    }
    return at;
  };

  /** The chime, then the words, twice; settles at the end. Without a gesture it is silent and settles at once. */
  const play = (sounds: readonly Sound[]): Promise<void> => {
    if (context === null || gain === undefined || context.state !== 'running') return Promise.resolve();
    const begun = context.currentTime + 0.05;
    chime(context, gain, begun);
    let at = begun + chimeLength;
    if (sounds.length > 0) {
      at = passage(context, gain, sounds, at) + betweenTwice;
      at = passage(context, gain, sounds, at);
    }
    // By the screen's clock, not by an event: a sound that never ends must not hold up the next call.
    return new Promise((over) => void clock.after((at - begun) * 1000, over));
  };

  return {
    isLocked,
    load,
    play,
    knows: (word: string): boolean => words.has(word),
    hasAll: (): boolean => words.size === clips.length,
    unlock: async (): Promise<void> => {
      if (context !== null && context.state !== 'running') await context.resume().catch(() => {});
    },
    setVolume: (percent: number): void => {
      if (gain !== undefined) gain.gain.value = percent / 100;
    },
    close: (): void => void context?.close().catch(() => {}),
  };
};

export type Player = ReturnType<typeof createPlayer>;
