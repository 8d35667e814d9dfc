import * as z from 'zod/mini';
import { endpoint } from '../../../core/endpoint/endpoint.ts';
import { described, describedAs, named, utcInstant, uuid } from '../../../core/endpoint/fields.ts';
import { pageMeta, pageQuery } from '../../../core/endpoint/query-fields.ts';

const feedShape = () => ({
  id: uuid(),
  details: described(z.boolean(), 'Whether it names session, doctor and family, or ids and states alone.'),
  created_at: utcInstant(),
});
const CalendarFeed = named('CalendarFeed', feedShape);

const aPage = {
  description: 'A page, the newest first.',
  data: () => z.array(CalendarFeed()),
  meta: pageMeta,
};

const address = () =>
  described(z.string(), 'Behind the origin of the service: everybody who has it can read the calendar.', {
    example: '/v1/feeds/q0N5bW1pZ2h0eSBsb25nIHJhbmRvbSE.ics',
  });

const path = '/v1/calendar-feeds';
const common = { tag: 'bookings', access: 'bearer' } as const;

export const MakeCalendarFeed = endpoint({
  ...common,
  method: 'post',
  path,
  summary: 'Make a secret address to subscribe to',
  description:
    'Patients subscribe to their own bookings and those of the family, a doctor to the own, staff and admins to the clinic’s, 31 days back and ahead. The address is shown once. It ends with the role or the account, with every change of the password or the e-mail, and with “end all other devices”. It tells ids and states alone; a patient’s own may have `details`. At most 10 an account.',
  recentLogin: true,
  idempotent: true,
  answersSecret: true,
  bodyOptional: true,
  body: () =>
    z.object({
      details: described(
        z._default(z.boolean(), false),
        'Names session and doctor, and whose of the family the visit is; for patients alone.',
      ),
    }),
  returns: {
    201: {
      description: 'Made.',
      data: named('CalendarFeedWithPath', () => ({ ...feedShape(), path: address() })),
      message: 'created',
    },
  },
  fails: ['forbidden', 'feeds_full'],
});

export const ListCalendarFeeds = endpoint({
  ...common,
  method: 'get',
  discloses: 'own',
  path,
  summary: 'The calendar addresses of the caller',
  query: pageQuery,
  returns: { 200: aPage },
});

export const EndCalendarFeed = endpoint({
  ...common,
  method: 'delete',
  path: `${path}/{id}`,
  summary: 'End a calendar address',
  returns: { 200: { description: 'It opens nothing any more.', message: 'deleted' } },
});

const ofPerson = { tag: 'admin', access: ['admin'] } as const;
const personPath = '/v1/admin/people/{id}/calendar-feeds';

export const ListPersonFeeds = endpoint({
  ...ofPerson,
  method: 'get',
  discloses: 'record',
  path: personPath,
  summary: 'The calendar addresses of a person',
  query: pageQuery,
  returns: { 200: aPage },
});

export const EndPersonFeed = endpoint({
  ...ofPerson,
  method: 'delete',
  path: `${personPath}/{feed_id}`,
  summary: 'End a calendar address of a person',
  params: () =>
    z.object({
      id: uuid(),
      feed_id: described(uuid(), 'The `id` of one of the addresses of the person.', {
        example: '5f0c7d52-8f0e-4c0f-9d0a-3d5f2f6c1b7e',
      }),
    }),
  returns: { 200: { description: 'It opens nothing any more.', message: 'deleted' } },
});

export const GetCalendarLink = endpoint({
  ...common,
  method: 'get',
  scope: 'bookings:read',
  discloses: 'record',
  path: '/v1/bookings/{id}/calendar-link',
  summary: 'A link to the calendar file of a booking',
  description: 'It needs no token and holds for 10 minutes: for the calendar of a phone, which has none.',
  returns: {
    200: {
      description: 'The link.',
      data: () => z.object({ path: address(), expires_at: utcInstant() }),
    },
  },
});

const fileName = /^[\w.-]{32,200}\.ics$/;

export const GetCalendarFeed = endpoint({
  method: 'get',
  path: '/v1/feeds/{token}.ics',
  tag: 'bookings',
  summary: 'The bookings behind a secret address',
  description:
    'RFC 5545, in UTC; a canceled booking stays as CANCELLED. A link to one booking is read here, too.',
  access: 'public',
  ignoresUnknownQuery: true,
  params: () =>
    z.object({
      token: describedAs(
        z.pipe(
          z.string().check(z.regex(fileName)),
          z.transform((name: string) => name.slice(0, -4)),
        ),
        {
          type: 'string',
          pattern: '^[\\w.-]{32,200}$',
          description: 'The secret.',
          example: 'q0N5bW1pZ2h0eSBsb25nIHJhbmRvbSEgdG9rZW4',
        },
      ),
    }),
  returns: {
    200: {
      description: 'The calendar.',
      contentType: 'text/calendar',
      headers: ['ETag', 'Content-Disposition', 'Content-Language'],
    },
  },
});
