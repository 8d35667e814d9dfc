import * as z from 'zod/mini';
import { endpoint } from '../../endpoint/endpoint.ts';
import {
  described,
  describedAs,
  lineOrEmpty,
  localDate,
  must,
  named,
  nameOrEmpty,
  oneLine,
  webAddress,
} from '../../endpoint/fields.ts';
import { adminOnly, changing } from '../shapes.ts';
import { contentTypeOf } from './rules.ts';

const identity = () => ({
  name: described(nameOrEmpty(), 'What people call the clinic; may be empty.', {
    example: 'Klinik Sehat Melati',
  }),
  address: described(lineOrEmpty(300), 'Where it is; may be empty.', {
    example: 'Jl. Melati 1, Bandung',
  }),
  phone: described(lineOrEmpty(30), 'As people dial it; may be empty.', { example: '+62 22 1234567' }),
  logo_url: described(z.nullable(webAddress()), 'An https address of its logo, for screens.', {
    example: 'https://klinik.example/logo.svg',
  }),
  color: described(
    z.nullable(
      described(
        z.pipe(
          z.pipe(
            z.string().check(z.maxLength(7)),
            z.transform((text: string) => text.toLowerCase()),
          ),
          z.string().check(z.regex(/^#[0-9a-f]{6}$/)),
        ),
        'As #rrggbb.',
        { pattern: '^#[0-9a-fA-F]{6}$' },
      ),
    ),
    'The accent colour of screens, as #rrggbb.',
    { example: '#0f766e' },
  ),
  consent_version: described(
    z.nullable(oneLine(40)),
    'The version of the privacy notice to which people agree; null without one.',
    { example: '2026-11' },
  ),
  privacy_notice_url: described(z.nullable(webAddress()), 'An https address where it is to be read.', {
    example: 'https://klinik.example/privasi',
  }),
});

const number = (min: number, max: number) => z.int().check(z.minimum(min), z.maximum(max));

const rules = () => ({
  min_notice_minutes: described(number(0, 43_200), 'How long before its start a slot closes to patients.', {
    example: 30,
  }),
  max_advance_days: described(number(1, 730), 'How many days ahead patients may book.', { example: 90 }),
  cancel_lead_minutes: described(
    number(0, 43_200),
    'How long before its start a patient may last cancel or move a booking.',
    { example: 0 },
  ),
  max_live_bookings: described(
    number(0, 10_000),
    'How many coming bookings a patient may have; 0 for no limit.',
    { example: 20 },
  ),
  max_unproved_bookings: described(
    number(0, 10_000),
    'How many of them before the e-mail is proved; 0 for no limit.',
    { example: 2 },
  ),
  retention_years: described(
    number(0, 100),
    'After how many years a booking is removed, with what was recorded of it; 0 for never.',
    { example: 25 },
  ),
});

const rulesShown = () => {
  const shapes = rules();
  return {
    min_notice_minutes: shapes.min_notice_minutes,
    max_advance_days: shapes.max_advance_days,
    cancel_lead_minutes: shapes.cancel_lead_minutes,
    max_live_bookings: shapes.max_live_bookings,
  };
};

const logoImage = () =>
  describedAs(z.string().check(must((text) => contentTypeOf(text) !== undefined, 'picture')), {
    description: 'A PNG, JPEG or WebP of at most 32 KiB, in base64, to be served by this service.',
    contentEncoding: 'base64',
    maxLength: 43_692,
  });

const shown = () => ({
  ...identity(),
  logo: described(
    z.nullable(z.string()),
    'The path of the uploaded logo on this service; null without one.',
    {
      example: '/logo/pWBvBq9WQyQ0hJr7bcr8',
    },
  ),
  time_zone: z.string(),
  today: described(localDate(), "The present date, in the clinic's time zone."),
  languages: described(z.array(z.enum(['id', 'en'])), 'In which it answers; the first one unless asked.', {
    example: ['id', 'en'],
  }),
});

const Clinic = named('Clinic', () => ({ ...shown(), ...rulesShown() }));

const RuleField = () =>
  z.enum([
    'min_notice_minutes',
    'max_advance_days',
    'cancel_lead_minutes',
    'max_live_bookings',
    'max_unproved_bookings',
    'retention_years',
  ]);

const AdminClinic = named('AdminClinic', () => ({
  ...shown(),
  ...rules(),
  version: z.int(),
  set_by_environment: described(
    z.array(RuleField()),
    'The rules that a setting of the service decides, so that they cannot be changed here.',
    { example: [] },
  ),
}));

export const GetClinic = endpoint({
  method: 'get',
  path: '/v1/clinic',
  tag: 'catalog',
  summary: 'The clinic, and when patients may book',
  description: 'A shared cache may keep it for a minute.',
  access: 'public',
  returns: { 200: { description: 'The clinic.', data: Clinic, headers: ['ETag'] } },
  fails: [],
});

const common = { tag: 'admin', path: '/v1/admin/clinic', access: adminOnly } as const;

export const GetClinicRules = endpoint({
  ...common,
  scope: 'catalog:read',
  discloses: 'nothing',
  method: 'get',
  summary: 'The clinic with all its rules',
  returns: { 200: { description: 'The clinic.', data: AdminClinic } },
  fails: [],
});

export const ChangeClinic = endpoint({
  ...common,
  method: 'patch',
  summary: 'Change the clinic and its rules of booking',
  description:
    'A new rule holds from the next decision on, in every process; bookings that stand are not touched. A rule that a setting of the service decides is refused.',
  bodyOptional: true,
  body: () => {
    const optional = { ...identity(), ...rules() };
    return z.object({
      name: z.optional(optional.name),
      address: z.optional(optional.address),
      phone: z.optional(optional.phone),
      logo_url: z.optional(optional.logo_url),
      logo_image: z.optional(
        described(z.nullable(logoImage()), 'A picture to be served by this service; null takes it away.', {
          example:
            'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
        }),
      ),
      color: z.optional(optional.color),
      consent_version: z.optional(optional.consent_version),
      privacy_notice_url: z.optional(optional.privacy_notice_url),
      min_notice_minutes: z.optional(optional.min_notice_minutes),
      max_advance_days: z.optional(optional.max_advance_days),
      cancel_lead_minutes: z.optional(optional.cancel_lead_minutes),
      max_live_bookings: z.optional(optional.max_live_bookings),
      max_unproved_bookings: z.optional(optional.max_unproved_bookings),
      retention_years: z.optional(optional.retention_years),
      ...changing(),
    });
  },
  returns: { 200: { description: 'Changed.', data: AdminClinic, message: 'changed' } },
  fails: ['set_by_environment', 'version_mismatch'],
});
