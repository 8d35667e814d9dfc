import * as z from 'zod/mini';
import { recordFields } from '../../../core/db/record-fields.ts';
import { describedAs, must, oneLine, paragraphsOrEmpty } from '../../../core/endpoint/fields.ts';
import { doctorPages } from '../../../core/tables/catalog.ts';
import { decodeBase64, isPhoto, isSlug, maxSlugLength, slugForm } from './rules.ts';

const slug = () =>
  describedAs(z.string().check(must(isSlug, 'slug')), {
    pattern: slugForm.source,
    maxLength: maxSlugLength,
  });

const languageForm = /^[a-z]{2,3}$/;
const languageCode = () =>
  describedAs(z.string().check(must((text) => languageForm.test(text), 'language_code')), {
    pattern: languageForm.source,
  });

const photoImage = () =>
  describedAs(
    z.string().check(
      must((text) => {
        const bytes = decodeBase64(text);
        return bytes !== null && isPhoto(bytes);
      }, 'photo'),
    ),
    {
      description:
        'A JPEG, PNG or WebP of at most 40 KiB and 64 to 1,024 pixels a side, in base64. Only what draws it is kept: place, time, device, profiles and comments are removed.',
      contentEncoding: 'base64',
      maxLength: 54_616,
    },
  );

const list = <S extends z.ZodMiniType>(of: () => S, most: number) =>
  z.array(of()).check(must((given) => given.length <= most, 'too_many', most));

/** How a list is stored: as JSON, each entry once. */
const stored = {
  store: (given: readonly string[]) => JSON.stringify([...new Set(given)]),
  show: (text: string): string[] => JSON.parse(text),
};

/** The fields of a doctor's page that people read and write. */
export const pageFields = recordFields(
  doctorPages,
  ['doctorId', 'photoTag', 'version', 'createdAt', 'updatedAt'],
  {
    slug: {
      write: slug,
      answer: () => z.nullable(slug()),
      isPublic: true,
      meaning:
        'The end of the address of the page, `/dokter/{slug}`; made of the doctor’s name unless given, null before the first change. The addresses that a page had before lead to the present one.',
      example: 'dr-sari-wulandari',
    },
    published: {
      shape: z.boolean,
      meaning: 'Whether the page is there for everybody. False unless set; then its address answers 404.',
      example: true,
    },
    about: {
      shape: () => paragraphsOrEmpty(2_000),
      isPublic: true,
      meaning: 'What the doctor says about the own work, in several lines; may be empty.',
      example: 'Menangani anak dan orang dewasa sejak 2012.',
    },
    languages: {
      shape: () => list(languageCode, 12),
      ...stored,
      isPublic: true,
      meaning: 'In which the doctor speaks with patients, by their codes in ISO 639.',
      example: ['id', 'en'],
    },
    education: {
      shape: () => list(() => oneLine(150), 10),
      ...stored,
      isPublic: true,
      meaning: 'Where the doctor studied and what else qualifies, one line each.',
      example: ['Fakultas Kedokteran Universitas Padjadjaran, 2010'],
    },
    photo_image: {
      shape: () => z.nullable(photoImage()),
      meaning: 'The photo as it is stored, in base64; null takes it away.',
      example: null,
    },
    photo: {
      answer: () => z.nullable(z.string()),
      isPublic: true,
      meaning:
        'The path of the photo on this service, another one for another photo; null without one. It answers while the page is published.',
      example: '/foto/pWBvBq9WQyQ0hJr7bcr8',
    },
  },
);
