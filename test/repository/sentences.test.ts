import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/core/endpoint/errors.ts';
import { fieldSentences } from '../../src/core/endpoint/field-sentences.ts';
import {
  dateInWords,
  daysInWords,
  minutesInWords,
  say,
  secondsInWords,
  timeInWords,
} from '../../src/core/endpoint/sentences.ts';

describe('a sentence with values', () => {
  it('is filled in both languages, with the word that goes with the number', () => {
    const chosen = (limit: number) => say(fieldSentences.too_many, { limit });
    expect(chosen(1)).toEqual({ id: 'Pilih maksimal 1.', en: 'Must have at most 1 entry.' });
    expect(chosen(3)).toEqual({ id: 'Pilih maksimal 3.', en: 'Must have at most 3 entries.' });
    expect(chosen(0).en).toBe('Must have at most 0 entries.');
  });

  it('takes a value that reads differently in each language', () => {
    const wait = secondsInWords(1);
    expect(say(catalogue.rate_limited, { wait })).toEqual({
      id: 'Terlalu banyak percobaan. Silakan coba lagi dalam 1 detik.',
      en: 'Too many attempts. Please try again in 1 second.',
    });
  });

  it('is never said without one of its values', () => {
    // @ts-expect-error: the compiler asks for it first.
    expect(() => say(catalogue.rate_limited, {})).toThrow('wait');
  });

  it('puts values in as they are, whatever signs they have', () => {
    expect(say(fieldSentences.not_allowed, { limit: '$&, {limit}, $1' }).id).toBe(
      'Pilih salah satu: $&, {limit}, $1.',
    );
  });
});

describe('the sentences of the failures', () => {
  it('name no field of the service: people read them on the pages', () => {
    const named = Object.entries(catalogue).flatMap(([code, { id, en }]) =>
      [id, en].filter((sentence) => /[a-z]_[a-z]/.test(sentence)).map((sentence) => `${code}: ${sentence}`),
    );
    expect(named).toEqual([]);
  });
});

describe('amounts and dates in words', () => {
  it.each([
    [secondsInWords(30), '30 detik', '30 seconds'],
    [secondsInWords(120), '120 detik', '120 seconds'],
    [secondsInWords(121), '3 menit', '3 minutes'],
    [secondsInWords(900), '15 menit', '15 minutes'],
    [minutesInWords(1), '1 menit', '1 minute'],
    [minutesInWords(90), '90 menit', '90 minutes'],
    [minutesInWords(120), '2 jam', '2 hours'],
    [minutesInWords(1_440), '24 jam', '24 hours'],
    [minutesInWords(2_880), '2 hari', '2 days'],
    [daysInWords(1), '1 hari', '1 day'],
    [dateInWords('2026-11-03'), '3 November 2026', '3 November 2026'],
    [dateInWords('2026-08-17'), '17 Agustus 2026', '17 August 2026'],
    [timeInWords('09:30:00'), 'pukul 09.30', '09:30'],
  ])('%j', (words, id, en) => expect(words).toEqual({ id, en }));
});
