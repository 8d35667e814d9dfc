import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, named, oneLine, utcInstant } from '../../../core/endpoint/fields.ts';

/** The version of a privacy notice, as the clinic names it. */
export const consentVersion = () => described(oneLine(40), 'Of the privacy notice.', { example: '2026-11' });

export const Consent = named('Consent', () => ({
  kind: described(z.enum(['given', 'withdrawn']), 'Agreed to, or taken back.'),
  consent_version: consentVersion(),
  at: described(utcInstant(), 'When it was said.'),
}));

const Consents = named('Consents', () => ({
  consent_version: described(z.nullable(z.string()), 'In force; null where the clinic has none.', {
    example: '2026-11',
  }),
  privacy_notice_url: described(z.nullable(z.string()), 'Where it is to be read.', {
    example: 'https://klinik.example/privasi',
  }),
  agreed: described(z.boolean(), 'Whether the caller agrees to the version in force.'),
  log: described(z.array(Consent()), 'What was said, the newest first; at most 50.'),
}));

const common = { tag: 'auth', path: '/v1/auth/consents', access: 'bearer' } as const;

export const ListConsents = endpoint({
  ...common,
  method: 'get',
  discloses: 'own',
  summary: 'What the caller agreed to, and when',
  returns: { 200: { description: 'The notice in force, and the log.', data: Consents } },
});

export const SayConsent = endpoint({
  ...common,
  method: 'post',
  summary: 'Agree to the privacy notice, or take it back',
  description: 'Names the version in force, or the one that is taken back. Said twice, it is noted once.',
  body: () =>
    z.object({
      consent_version: consentVersion(),
      given: described(z._default(z.boolean(), true), 'False takes it back.', { example: true }),
    }),
  returns: {
    200: {
      description: 'Noted.',
      data: Consents,
      message: { id: 'Pilihan Anda telah dicatat.', en: 'Your choice was noted.' },
    },
  },
});
