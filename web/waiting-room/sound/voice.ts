import type { Voice } from '../address.ts';
import type { Call } from '../logic/queue.ts';
import { callSentence, callSounds, type Sound } from './grammar.ts';
import type { Player } from './player.ts';

/** An Indonesian voice that is installed on the device: televisions and web views mostly have none. */
const ownVoice = (): SpeechSynthesisVoice | undefined =>
  typeof speechSynthesis === 'undefined'
    ? undefined
    : speechSynthesis.getVoices().find(({ lang, localService }) => /^id\b/i.test(lang) && localService);

const speak = (sentence: string, voice: SpeechSynthesisVoice, volume: number): Promise<void> =>
  new Promise((over) => {
    const utterance = new SpeechSynthesisUtterance(sentence);
    utterance.voice = voice;
    utterance.lang = voice.lang;
    utterance.rate = 0.9;
    utterance.volume = volume / 100;
    utterance.onend = () => over();
    utterance.onerror = () => over();
    speechSynthesis.speak(utterance);
  });

interface Parts {
  player: Player;
  voice: Voice;
  volume: number;
}

/**
 * Speaks a call: chime, then twice with recordings; if these are missing, with the device's voice; else only the chime.
 */
export const createVoice = ({ player, voice, volume }: Parts) => {
  const isWhole = (sounds: readonly Sound[]): boolean =>
    sounds.every((sound) => typeof sound === 'number' || player.knows(sound));

  return async (call: Pick<Call, 'label' | 'room'>): Promise<void> => {
    if (voice === 'mati') return;
    if (voice === 'nada') return player.play([]);
    if (!player.hasAll()) void player.load();
    const sounds = callSounds(call, player.knows);
    if (isWhole(sounds)) return player.play(sounds);
    const own = ownVoice();
    await player.play([]);
    if (own === undefined) return;
    const sentence = callSentence(call);
    await speak(sentence, own, volume);
    await speak(sentence, own, volume);
  };
};
