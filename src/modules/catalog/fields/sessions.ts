import * as z from 'zod/mini';
import { externalFields } from '../../../core/db/external-fields.ts';
import { recordFields } from '../../../core/db/record-fields.ts';
import { foreignCode, name } from '../../../core/endpoint/fields.ts';
import { sessions } from '../../../core/tables/catalog.ts';
import { approvals, openTos } from '../../../core/tables/words.ts';
import { Question, questionsIn, questionsInput, questionsText } from './questions.ts';

const upTo = (max: number) => () => z.nullable(z.int().check(z.minimum(1), z.maximum(max)));
const codeOrNull = (max: number) => () => z.nullable(foreignCode(max));

/** The fields of a session that people read and write. */
export const sessionFields = recordFields(
  sessions,
  ['id', 'version', 'retiredAt', 'createdAt', 'updatedAt'],
  {
    name: {
      write: name,
      answer: z.string,
      isPublic: true,
      meaning: 'What the service is called.',
      example: 'Konsultasi',
    },
    approval: {
      shape: () => z.enum(approvals),
      otherwise: 'manual',
      isPublic: true,
      meaning:
        '`manual`: a booking of a patient waits until the clinic approves it. `automatic`: it is approved at once.',
      example: 'manual',
    },
    maxPerDay: {
      shape: upTo(20),
      otherwise: null,
      isPublic: true,
      meaning:
        'How many bookings of this session a patient may have on one date; null for no limit. Canceled and missed ones do not count, here and below.',
      example: null,
    },
    minDaysBetween: {
      shape: upTo(365),
      otherwise: null,
      isPublic: true,
      meaning:
        'How many days at least lie between two bookings of this session of one patient: 1 for another date, 7 for a week later; null for no limit.',
      example: null,
    },
    openTo: {
      shape: () => z.enum(openTos),
      otherwise: 'all',
      isPublic: true,
      meaning:
        '`new`: only for patients who have never come to a visit of the clinic. `known`: only for those who have, by a check-in.',
      example: 'all',
    },
    bpjsPoliCode: {
      shape: codeOrNull(10),
      otherwise: null,
      meaning: 'At a hospital: the code of its subspecialty at BPJS; null without one.',
      example: 'ANA',
    },
    bpjsFktpCode: {
      shape: codeOrNull(10),
      otherwise: null,
      meaning: 'At a first-level clinic: the code of its poli at BPJS; null without one.',
      example: '001',
    },
    ihsLocationId: {
      shape: codeOrNull(64),
      otherwise: null,
      meaning: 'The Location at SATUSEHAT where it takes place; null without one.',
      example: 'b017aa54-f1df-4ec2-9d84-8823815d7228',
    },
    questions: {
      write: questionsInput,
      answer: () => z.array(Question()),
      otherwise: [],
      store: questionsText,
      show: questionsIn,
      isPublic: true,
      meaning:
        'What patients are asked before the visit, at most 20 questions in this order. A change replaces them all; answers that were given stay, with the wording they were given to.',
      example: [],
    },
    ...externalFields,
  },
);
