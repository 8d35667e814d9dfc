import type { Sentence } from '../../../core/endpoint/sentences.ts';

/** Why a patient cannot say that they come. */
export const confirmingSentences = {
  not_asked: {
    id: 'Untuk janji temu ini belum ada pengingat yang meminta kepastian kehadiran.',
    en: 'No reminder has asked yet whether the patient comes to this booking.',
  },
} as const satisfies Record<string, Sentence>;
