import * as z from 'zod/mini';
import { externalFields } from '../../../core/db/external-fields.ts';
import { recordFields } from '../../../core/db/record-fields.ts';
import { foreignCode, name, nameOrEmpty } from '../../../core/endpoint/fields.ts';
import { doctors } from '../../../core/tables/catalog.ts';

/** The fields of a doctor that people read and write. */
export const doctorFields = recordFields(
  doctors,
  ['id', 'calendarVersion', 'words', 'version', 'retiredAt', 'createdAt', 'updatedAt'],
  {
    name: {
      write: name,
      answer: z.string,
      isPublic: true,
      isSearched: true,
      meaning: 'Without the title.',
      example: 'Sari Wulandari',
    },
    title: {
      write: () => nameOrEmpty(30),
      answer: z.string,
      otherwise: '',
      isPublic: true,
      isSearched: true,
      meaning: 'Such as `dr.`; may be empty.',
      example: 'dr.',
    },
    specialty: {
      write: nameOrEmpty,
      answer: z.string,
      otherwise: '',
      isPublic: true,
      isSearched: true,
      meaning: 'The field of medicine; may be empty.',
      example: 'Dokter Umum',
    },
    bpjsDoctorCode: {
      shape: () => z.nullable(z.int().check(z.minimum(1), z.maximum(2_147_483_647))),
      otherwise: null,
      meaning: 'The doctor’s code in HFIS of BPJS; null without one.',
      example: 12_346,
    },
    ihsId: {
      shape: () => z.nullable(foreignCode(64)),
      otherwise: null,
      meaning: 'The practitioner’s number at SATUSEHAT (IHS); null where it is not known.',
      example: 'N10000001',
    },
    ...externalFields,
  },
);

/** How a doctor is introduced to patients: the name with its title, and what the doctor practises. */
export const introduceDoctor = ({
  title,
  name,
  specialty,
}: Record<'title' | 'name' | 'specialty', string>) => ({
  fullName: `${title} ${name}`.trim(),
  practice: specialty,
});
