import { languages } from '../../core/endpoint/messages.ts';
import type { Json } from './json-schema.ts';

const text = (description: string, example: string, more: Json = {}): Json => ({
  description,
  schema: { type: 'string', examples: [example], ...more },
});

/** Every header of an answer that the reference names. */
export const headers = {
  'X-Request-Id': text(
    'Names this request in the log; a given one of 8 to 128 letters, digits, _ or - is kept.',
    '3f0c7d52-8f0e-4c0f-9d0a-3d5f2f6c1b7e',
  ),
  'Cache-Control': text(
    '`no-store` on everything personal; answers to writes add `no-transform`.',
    'no-store',
  ),
  'Content-Language': text('The language of the sentences for people.', 'id', { enum: languages }),
  ETag: text('The state of the content, for If-None-Match.', 'W/"m5Jb1pE0XxPq0Wn9v3hL"'),
  Link: text(
    'The next page (RFC 8288), absent on the last one.',
    '</v1/doctors?limit=50&cursor=WyJTYXJpIFd1bGFuZGFyaSIsImQwYzcwMDAwLTAwMDAtNDAwMC04MDAwLTAwMDAwMDAwMTAwMSJd>; rel="next"',
  ),
  Deprecation: text('Since when the operation is deprecated (RFC 9745).', '@1796083200'),
  Sunset: text('When it ends (RFC 8594).', 'Tue, 01 Jun 2027 00:00:00 GMT'),
  Location: text('The path of what was made.', '/v1/bookings/5f0c7d52-8f0e-4c0f-9d0a-3d5f2f6c1b7e'),
  'Content-Disposition': text('A name for the file.', 'attachment; filename="janji-7KQ2M9XR.ics"'),
  'Idempotency-Replayed': text('`true` on the stored answer to a repeated request.', 'true', {
    enum: ['true'],
  }),
  'X-Device-Token': text(
    'Keep it with the device and send it with the next login: it shows that this device has opened the account before, so that guesses from elsewhere do not hold it up. Good for 180 days and for this account alone; it opens nothing.',
    'q3bXl0Zc8m1vQvXy7d2Kpw.mjz1k0g0.0b9mVfJt3m0Wq4o1cPj8Yz2nD5rT6sU7vX8yA9bC0dE',
  ),
  'Set-Cookie': text(
    'The login of one of our own pages, which no script reads: `__Host-janji-pasien` or `__Host-janji-konsol`, and beside it the device token.',
    '__Host-janji-pasien=k.Q2F0YXRhbi1yYWhhc2lh; Max-Age=2592000; Path=/; HttpOnly; Secure; SameSite=Strict',
  ),
  'WWW-Authenticate': text(
    'How to authenticate (RFC 6750); `error="invalid_token"` after a token that does not hold.',
    'Bearer realm="janji"',
  ),
  Allow: text('The methods that the path knows.', 'GET, HEAD'),
  'Retry-After': text('Seconds to wait before the next try.', '1', { pattern: '^[0-9]+$' }),
  RateLimit: text('What is left (draft-ietf-httpapi-ratelimit-headers-10).', '"login";r=0;t=60'),
  'RateLimit-Policy': text('The limit that holds.', '"login";q=10;w=900'),
} as const satisfies Record<string, Json>;

export type HeaderName = keyof typeof headers;

/** The headers of an answer, with those that every answer has. */
export const headerRefs = (names: readonly HeaderName[]): Json =>
  Object.fromEntries(
    (['X-Request-Id', 'Cache-Control', ...names] as const).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
