import * as z from 'zod/mini';
import { externalFields } from '../../../core/db/external-fields.ts';
import { recordFields } from '../../../core/db/record-fields.ts';
import { foreignCode, name } from '../../../core/endpoint/fields.ts';
import { sessions } from '../../../core/tables/catalog.ts';
import { approvals } from '../../../core/tables/words.ts';

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
    ...externalFields,
  },
);
