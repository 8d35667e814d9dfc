import * as z from 'zod/mini';
import { externalFields } from '../../../core/db/external-fields.ts';
import { recordFields } from '../../../core/db/record-fields.ts';
import { name } from '../../../core/endpoint/fields.ts';
import { sessions } from '../../../core/tables/catalog.ts';
import { approvals } from '../../../core/tables/words.ts';

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
    ...externalFields,
  },
);
