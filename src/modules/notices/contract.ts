import * as z from 'zod/mini';
import { endpoint } from '../../core/endpoint/endpoint.ts';
import { described, named, utcInstant, uuid } from '../../core/endpoint/fields.ts';
import { languages } from '../../core/endpoint/messages.ts';
import { pageMeta, paging } from '../../core/endpoint/query-fields.ts';
import { allNoticeKinds, noticeChannels, noticeKinds, noticeStates } from '../../core/tables/words.ts';

const fields = () => ({
  email: described(z.boolean(), 'Whether notices come by e-mail, to the address that was proved.', {
    example: true,
  }),
  message: described(z.boolean(), "Whether they come as messages to the profile's phone number.", {
    example: true,
  }),
  kinds: described(z.array(z.enum(noticeKinds)), 'What of; an empty list for nothing.', {
    example: [...noticeKinds],
  }),
  language: described(z.enum(languages), 'In which language.', { example: 'id' }),
  desk: described(
    z.boolean(),
    'For staff, doctors and admins: whether they are told when a patient cancels or moves a visit of today or tomorrow or answers its questions, a doctor of the own ones. Patients are never told so.',
    { example: false },
  ),
});

export const Choices = named('NoticeChoices', () => ({
  ...fields(),
  channels: described(
    z.array(z.enum(noticeChannels)),
    'What the clinic can send by; the choice of another one is kept for when it can.',
    { example: ['email'] },
  ),
}));

const own = { path: '/v1/auth/notices', tag: 'auth', access: 'bearer' } as const;

export const GetNoticeChoices = endpoint({
  ...own,
  method: 'get',
  discloses: 'own',
  summary: 'Which notices the caller is sent, and how',
  description:
    'Of the own visits and the family’s. Mails about the account itself, such as a new device, always come.',
  returns: { 200: { description: 'The choices.', data: Choices } },
});

export const ChooseNotices = endpoint({
  ...own,
  method: 'patch',
  summary: 'Choose which notices to be sent, and how',
  description:
    'What is left out stays as it is; `desk` is refused of a patient (403). Every mail has a link that stops mails, without a login.',
  body: () => {
    const { email, message, kinds, language, desk } = fields();
    return z.object({
      email: z.optional(email),
      message: z.optional(message),
      kinds: z.optional(kinds),
      language: z.optional(language),
      desk: z.optional(desk),
    });
  },
  returns: { 200: { description: 'Changed.', data: Choices, message: 'changed' } },
  fails: ['forbidden'],
});

export const SentNotice = named('SentNotice', () => ({
  id: described(uuid(), 'The Idempotency-Key of every attempt.'),
  booking_id: uuid(),
  kind: described(z.enum(allNoticeKinds), 'What was to be told.'),
  channel: described(z.enum(noticeChannels), 'By which way.'),
  person_id: described(uuid(), 'To whom: an account, or the record of a patient without one.', {
    example: 'c4a1c0de-0000-4000-8000-000000000001',
  }),
  state: described(z.enum(noticeStates), '`delivered` and `read` are known of messages alone.'),
  reason: described(
    z.nullable(z.string()),
    'Why it was dropped (`canceled`, `moved`, `begun`, `passed`, `superseded`, `stopped`, `unreachable`), or how the last attempt failed.',
    { example: null },
  ),
  attempts: described(z.int(), 'How often it was tried.', { example: 1 }),
  created_at: described(utcInstant(), 'When it was planned.'),
  settled_at: described(z.nullable(utcInstant()), 'When it left, was dropped or given up.'),
}));

export const ListNotices = endpoint({
  method: 'get',
  path: '/v1/admin/notices',
  tag: 'admin',
  summary: 'What people were told of their visits',
  description: 'The newest first, for 90 days: ids and states, never an address or a text.',
  access: ['admin'],
  discloses: 'list',
  query: () =>
    z.object({
      ...paging(),
      booking_id: described(z.optional(uuid()), 'Only of this booking.'),
      state: described(z.optional(z.enum(noticeStates)), 'Only those that stand so.'),
      kind: described(z.optional(z.enum(allNoticeKinds)), 'Only these.'),
      channel: described(z.optional(z.enum(noticeChannels)), 'Only those by this way.'),
    }),
  returns: { 200: { description: 'A page of notices.', data: () => z.array(SentNotice()), meta: pageMeta } },
});
