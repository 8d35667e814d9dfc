import * as z from 'zod/mini';
import { recordFields, shownInstant, shownInstantOrNull } from '../../core/db/record-fields.ts';
import { described, freeText, uuid } from '../../core/endpoint/fields.ts';
import { webhookEndpoints } from '../../core/tables/webhooks.ts';
import { eventTypes, pausedReasons } from '../../core/tables/words.ts';

const typeList = () => z.array(z.enum(eventTypes));

/** The fields of a webhook receiver that people read and write. */
export const webhookFields = recordFields(
  webhookEndpoints,
  [
    'secret',
    'previousSecret',
    'previousSecretUntil',
    'lastSequence',
    'pausedAt',
    'failures',
    'holdUntil',
    'retiredAt',
  ],
  {
    id: { answer: uuid },
    url: {
      write: () =>
        described(
          z.string().check(z.maxLength(2_048)),
          'A public https address without credentials; redirects are not followed.',
          { format: 'uri', example: 'https://hooks.klinik.example/janji' },
        ),
      answer: () => described(z.string(), 'Where events are sent.'),
    },
    eventTypes: {
      write: () => typeList().check(z.maxLength(eventTypes.length)),
      answer: typeList,
      otherwise: [],
      store: (given: string[]) => JSON.stringify(given),
      show: (stored: string) => JSON.parse(stored) as string[],
      meaning: 'An empty list means every type.',
    },
    description: { shape: () => freeText(200), otherwise: '', meaning: 'For people: whose receiver it is.' },
    status: {
      shape: () => z.enum(['active', 'paused']),
      meaning: 'A paused receiver is sent nothing until it is active again.',
      example: 'active',
    },
    pausedReason: {
      answer: () => z.nullable(z.enum(pausedReasons)),
      meaning:
        '`failing`: nothing got through for 24 hours; `gone`: it answered 410; `secret_lost`: rotate the secret.',
    },
    failingSince: { ...shownInstantOrNull, meaning: 'The first failure since the last receipt.' },
    createdAt: shownInstant,
    updatedAt: shownInstant,
  },
);
