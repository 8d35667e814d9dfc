import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/core/endpoint/errors.ts';
import { fieldIssues } from '../../src/core/endpoint/field-issues.ts';
import { fieldSentences } from '../../src/core/endpoint/field-sentences.ts';
import { messages } from '../../src/core/endpoint/messages.ts';
import { sessionEnded } from '../../src/core/endpoint/refused-token.ts';
import type { Sentence } from '../../src/core/endpoint/sentences.ts';
import { contracts } from '../../src/interface/contracts.ts';
import * as ofAuth from '../../src/modules/auth/sentences.ts';
import {
  closedSentences,
  limitSentences,
  ownSentences,
  transitionSentences,
} from '../../src/modules/booking/record/sentences.ts';
import { createAdmin } from '../support/admin.ts';
import { createPractice } from '../support/clinic.ts';
import { createWorld } from '../support/world.ts';

const all: [string, Sentence][] = [
  ...Object.entries(catalogue),
  ...Object.entries(closedSentences),
  ...Object.entries(limitSentences),
  ...Object.entries(ownSentences),
  ...Object.entries(transitionSentences),
  ...Object.entries(ofAuth),
  ...Object.entries({ sessionEnded }),
  ...Object.entries(fieldSentences),
  ...Object.entries(messages),
  ...Object.values(contracts).flatMap(({ path, returns }) =>
    Object.values(returns).flatMap(({ message }): [string, Sentence][] =>
      typeof message === 'object' ? [[path, message]] : [],
    ),
  ),
];

const valuesIn = (text: string) =>
  [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort();

describe('every sentence that a person can see', () => {
  it('is in both languages, as a sentence, with the same values in it', () => {
    const wrong = all.filter(([, { id, en }]) => {
      const isSentence = [id, en].every((text) => /^[\p{Lu}{].*\.$/u.test(text));
      return !isSentence || id === en || valuesIn(id).join() !== valuesIn(en).join();
    });
    expect(wrong.map(([key]) => key)).toEqual([]);
  });

  it('names one thing as one in English', () => {
    const wrong = all.filter(([, { en }]) => /\{\w+\} (?:[a-z]+ )?[a-z]+s\b/.test(en));
    expect(wrong.map(([key, { en }]) => `${key}: ${en}`)).toEqual([]);
  });

  it('exists for whatever a shape finds wrong with a field', () => {
    for (const { body } of Object.values(contracts)) {
      if (body === undefined) continue;
      for (const value of [undefined, null, 5, 'x', '\0', -1, [], 'x'.repeat(9_999)]) {
        const input = Object.fromEntries(Object.keys(body().shape).map((name) => [name, value]));
        const { error } = body().safeParse(input);
        for (const { rule } of fieldIssues(error?.issues ?? [], input))
          expect(fieldSentences).toHaveProperty(rule);
      }
    }
  });

  it('names other fields as people call them', async () => {
    const world = await createWorld();
    const admin = await createAdmin(world);
    const practice = await createPractice(world);
    const weekly = {
      doctor_id: practice.doctorId,
      session_id: practice.sessionId,
      weekday: 1,
      slot_minutes: 30,
    };
    const hours = { start_time: '20:00:00', end_time: '18:00:00', capacity: 1 };
    const valid = { valid_from: '2026-12-02', valid_until: '2026-12-01' };
    const asked: [path: string, body: object | undefined][] = [
      ['/v1/admin/schedules', { ...weekly, ...hours, ...valid }],
      ['/v1/admin/closures', { name: 'Libur', start_date: '2026-12-02', end_date: '2026-12-01' }],
      [`/v1/doctors/${practice.doctorId}/slots?from=2026-12-02&to=2026-12-01`, undefined],
    ];
    const sentences = async (language: string) => {
      const answers = asked.map(([path, body]) =>
        world.request(path, { token: admin.token, body, headers: { 'Accept-Language': language } }),
      );
      return (await Promise.all(answers)).flatMap(({ body }) => Object.values(body.errors).flat()).sort();
    };
    expect(await sentences('id')).toEqual([
      'Harus setelah jam mulai.',
      'Tidak boleh sebelum tanggal awal.',
      'Tidak boleh sebelum tanggal mulai berlaku.',
      'Tidak boleh sebelum tanggal mulai.',
    ]);
    expect(await sentences('en')).toEqual([
      'Must be after the start time.',
      'Must not be before the date from which it holds.',
      'Must not be before the first date.',
      'Must not be before the start date.',
    ]);
  });
});
