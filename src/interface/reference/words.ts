/** Rules for every endpoint, at the beginning of the reference. */
export const introduction = `
A JSON interface by which patients book medical sessions with doctors, and a clinic runs them.

**Envelopes.** A success is \`{"status":"success","message"?,"data"?,"meta"?}\`. A failure is
\`{"status":"error","code","message","errors"?,"request_id"}\` with the facts that its code brings; \`code\` is
stable, \`message\` and \`errors\` are for people. An unknown path answers 404 \`not_found\`, a known one with another
method 405 \`method_not_allowed\` with \`Allow\`. HEAD works wherever GET does. Unknown fields of a body are ignored; a PATCH
that names none that is known is 422 \`validation_failed\`. Unknown query parameters are 400 \`invalid_query\` with their
names, except where an endpoint says that it ignores them. Text with NUL or an unpaired surrogate is refused everywhere.
On Node, what cannot be read as a request is answered 400 \`invalid_header\`, 408 \`request_timeout\` or 431
\`headers_too_large\`; a service with the demo clinic answers 403 \`demo_not_public\` to what a proxy hands on, unless
\`DEMO\` is \`on\`.

**Logging in.** Registration and login give an \`access_token\` for \`Authorization: Bearer …\`. It lives for
\`expires_in\` seconds; the \`refresh_token\` exchanges once for new ones. In this reference the token of a login is
kept for the following calls until the page is left.

**API keys.** A machine of the clinic sends a key (\`Authorization: Bearer janji_…\`, made by an admin) and acts as the
reception does, within the scopes of the key, which are fixed. Each operation names its scope: \`bookings\` before the
visit, \`queue\` from check-in to completion, \`patients\`, \`catalog\` (doctors, sessions, schedules, closures), \`events\`
(the changes, and what is sent to receivers) and \`statistics\`. A catalog scope names no patient: \`affected_bookings\` is
empty, \`affected_total\` tells how many. A missing scope is 403 \`insufficient_scope\`, and so is every operation that is
for people alone; a key that has ended is 401 at its very next request. What a key did is \`api_key\` in \`by\`,
\`actor_role\` and \`canceled_by\`, with its name in \`by_name\`; in the audit trail its id is \`actor_id\`, beside \`by\` in
\`detail\`. It is the clinic's, and stays when the account of its maker ends. A key has its own limit of requests a
minute, told by \`RateLimit\`.

**Time.** Dates and times of the calendar are in the clinic's time zone; fields that end in \`_at\` are in UTC.

**Pages.** Lists take \`limit\` (at most 100, 50 unless set) and \`cursor\`, and give \`meta.next_cursor\` and a
\`Link\` header until the last page. A cursor is opaque: send it as it came.

**Repeats.** A POST under /v1/bookings with an \`Idempotency-Key\` may be sent again without fear. The stored answer
carries \`Idempotency-Replayed: true\`; one that held a secret is not stored, and its repeat is 409
\`idempotency_key_spent\`: read what it made, or ask again with another key.

**Limits.** Logins, registrations and password mails are limited for each account and network: 429 with
\`Retry-After\`, and \`RateLimit\` headers that say what is left. A body has at most 65,536 bytes.

**Events.** Admins have events sent to their own systems, signed as Standard Webhooks says; their payloads stand under
Webhooks in this document. Delivery is at least once, and in order for each booking.

**Versions.** Under /v1 endpoints, fields and codes are added, and none is taken away or changes its meaning: ignore
what you do not know. The \`status\` of a booking takes no value but \`waiting\`, \`approved\` and \`canceled\`.

**Examples.** They fit the demo clinic, and their dates lie ahead of the day on which this document was read: each
can be sent as it stands. \`GET /\` says where things are: a browser is sent to this reference, any other client gets
\`name\`, \`version\`, \`docs\`, \`openapi\` and \`health\` as JSON.

**Headers.** Every answer carries \`X-Request-Id\`, \`Cache-Control\` and the usual security headers.
`.trim();

/** The parts of the reference, in the order in which a newcomer meets them. */
export const tags = [
  { name: 'auth', description: 'Accounts, tokens and devices.' },
  { name: 'catalog', description: 'Doctors, sessions and the slots that can be booked. Public.' },
  { name: 'bookings', description: 'Making, moving and canceling bookings.' },
  { name: 'patients', description: 'Families, and the records of patients at the desk.' },
  { name: 'clinic', description: 'Running the day: reception and doctors.' },
  {
    name: 'admin',
    description: 'People, doctors, sessions, schedules, closures, API keys and the audit trail.',
  },
  { name: 'export', description: 'All data of a kind, to take along: NDJSON or CSV.' },
  { name: 'webhooks', description: 'Receivers of events in other systems, and what was sent to them.' },
  { name: 'events', description: 'What the service sends to receivers.' },
  { name: 'service', description: 'Health of the service.' },
];
