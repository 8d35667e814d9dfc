// Pure: what a search found, as a Bundle.

import type { Language } from '../../core/endpoint/messages.ts';
import type { Sentence } from '../../core/endpoint/sentences.ts';
import type { Resource } from './types.ts';

interface Contents {
  matches: readonly Resource[];
  included?: readonly Resource[];
  total?: number;
  /** The addresses of this page and of the next one. */
  self: string;
  next?: string | null;
  /** What the client should know of the result. */
  notes?: readonly Sentence[];
}

const entry = (base: string, mode: string) => (resource: Resource) => ({
  fullUrl: `${base}/${resource.resourceType}/${resource.id}`,
  resource,
  search: { mode },
});

export const toBundle = (
  base: string,
  language: Language,
  { matches, included = [], total, self, next = null, notes = [] }: Contents,
) => {
  const entries = [
    ...matches.map(entry(base, 'match')),
    ...included.map(entry(base, 'include')),
    ...notes.map((note) => ({
      resource: {
        resourceType: 'OperationOutcome',
        issue: [{ severity: 'information', code: 'informational', details: { text: note[language] } }],
      },
      search: { mode: 'outcome' },
    })),
  ];
  return {
    resourceType: 'Bundle',
    type: 'searchset',
    total,
    link: [{ relation: 'self', url: self }, ...(next === null ? [] : [{ relation: 'next', url: next }])],
    entry: entries.length > 0 ? entries : undefined,
  };
};

export const notes = {
  tooWide: {
    id: 'Sebutkan patient, date, practitioner, identifier, atau _id: pencarian tanpa salah satunya tidak dilakukan.',
    en: 'Name patient, date, practitioner, identifier or _id: a search without any of them is not made.',
  },
  allPatients: {
    id: 'Sebutkan name, phone, birthdate, identifier, atau _id: seluruh pasien tidak dihitung.',
    en: 'Name name, phone, birthdate, identifier or _id: all patients are not counted.',
  },
  isCut: {
    id: 'Hanya bagian awal yang dicari: 31 hari untuk dokter yang disebut, 7 hari untuk semua atau bila akhirnya tidak disebut.',
    en: 'Only the beginning was searched: 31 days of a named doctor, 7 days of all or without an end.',
  },
} as const satisfies Record<string, Sentence>;
