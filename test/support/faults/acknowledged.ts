import Database from 'libsql';

/** A client's order, however often it must be sent: each attempt has the same key and request id. */
export interface Order {
  path: string;
  userId: string;
  token: string;
  /** Null for a client that knows nothing of keys, and so cannot ask again after a 503. */
  key: string | null;
  requestId: string;
  body: object;
}

export interface Answer {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came.
  body: any;
  replayed: boolean;
}

/** An order and its final answer: a success, a refusal, or a 503 that leaves open which. */
export interface Settled {
  order: Order;
  answer: Answer;
}

interface Event {
  request_id: string;
  type: string;
  booking_id: string;
  version: number;
  payload: string;
  actor_role: string;
}

interface StoredResponse {
  user_id: string;
  key: string;
  status: number;
  body: string;
}

const eventTypes: Record<string, string> = {
  bookings: 'booking.created',
  cancel: 'booking.canceled',
  reschedule: 'booking.rescheduled',
  approve: 'booking.approved',
  'check-in': 'booking.checked_in',
  next: 'booking.called',
  skip: 'booking.skipped',
  undo: 'booking.undone',
  complete: 'booking.completed',
  accept: 'booking.accepted',
  decline: 'booking.canceled',
  series: 'booking.created',
  'follow-up': 'booking.created',
};

const isSuccess = ({ answer }: Settled): boolean => answer.status < 300;

interface Shown {
  id?: string;
  version?: number;
  visit?: { status: string } | null;
}

/** Each booking that a success says it changed, as far as it shows it. */
const changedBy = ({ order, answer }: Settled): Shown[] => {
  const { data } = answer.body;
  const [, , , kind, id] = order.path.split('/');
  if (kind === undefined && order.path === '/v1/waitlist') return [];
  if (order.path === '/v1/bookings/series')
    return data.results.flatMap(({ booking }: { booking: Shown | null }) =>
      booking === null ? [] : [{ id: booking.id }],
    );
  if (kind === 'series' && id !== undefined)
    return data.flatMap(({ booking_id, result }: { booking_id: string; result: string }) =>
      result === 'canceled' ? [{ id: booking_id }] : [],
    );
  return [data ?? {}];
};

/** The differences of an event from the answer to the order that caused it. */
const contradictions = ({ order }: Settled, shown: Shown, event: Event): string[] => {
  // The event has the step of the visit, the detail also its time.
  const data: Record<string, unknown> = {
    ...shown,
    ...('visit' in shown && { visit: shown.visit?.status ?? null }),
  };
  const payload = JSON.parse(event.payload);
  const expected = eventTypes[order.path.split('/').at(-1) ?? ''];
  const shared = Object.keys(payload).filter((name) => name in data && payload[name] !== data[name]);
  return [
    ...(event.type === expected ? [] : [`${order.path} was told as ${event.type}`]),
    ...(event.booking_id === (data.id ?? event.booking_id)
      ? []
      : [`${order.path} was told of another booking`]),
    ...('version' in data && data.version !== event.version
      ? [`${order.path} answered version ${data.version}, its event is the ${event.version}th`]
      : []),
    ...shared.map((name) => `${order.path} answered ${name} ${data[name]}, its event tells ${payload[name]}`),
  ];
};

/** A move to the booking's present slot: it changes nothing and makes no event. */
const isMoveToItself = ({ order, answer }: Settled, events: readonly Event[]): boolean => {
  if (!order.path.endsWith('/reschedule')) return false;
  const { data } = answer.body;
  const then = events.find(({ booking_id, version }) => booking_id === data.id && version === data.version);
  if (then === undefined || then.request_id === order.requestId) return false;
  const payload = JSON.parse(then.payload);
  return Object.entries(order.body).every(([name, value]) => !(name in payload) || payload[name] === value);
};

/** Bookings that `queue/next` called though they were called already, or were not there. */
const calledAgain = ({ order }: Settled, called: Event, ofBooking: readonly Event[]): string[] => {
  if (!order.path.endsWith('/next')) return [];
  const before = ofBooking.find(({ version }) => version === called.version - 1);
  const visit = before === undefined ? 'nobody' : JSON.parse(before.payload).visit;
  return visit === 'checked_in' ? [] : [`${called.booking_id} was ${visit} when called as the next`];
};

/**
 * Whether effects and acknowledgements match: each success has one event and one stored answer that repeats it, a
 * refusal has neither, and nothing else happened.
 */
export const differencesFrom = (path: string, settled: readonly Settled[]): string[] => {
  const database = new Database(path, { timeout: 1000 });
  let all: Event[];
  let storedResponses: StoredResponse[];
  try {
    all = database
      .prepare(
        "select request_id, type, booking_id, version, payload, actor_role from booking_events where type like 'booking.%'",
      )
      .all() as Event[];
    storedResponses = database
      .prepare('select user_id, key, status, body from replays')
      .all() as StoredResponse[];
  } finally {
    database.close();
  }
  // The waitlist offers a seat in the batch that frees it, and ends expired offers in any that takes one.
  const events = all.filter(({ actor_role }) => actor_role !== 'system');
  const offering = new Set(all.filter(({ type }) => type === 'booking.offered').map((one) => one.request_id));
  const eventsOf = Map.groupBy(events, ({ request_id }) => request_id);
  const ofBooking = Map.groupBy(events, ({ booking_id }) => booking_id);
  const toStoredResponse = new Map(storedResponses.map((row) => [`${row.user_id} ${row.key}`, row]));
  const known = new Set(settled.map(({ order }) => order.requestId));
  const found = settled.flatMap((one) => {
    const { order, answer } = one;
    const eventsOfOrder = eventsOf.get(order.requestId) ?? [];
    const row = order.key === null ? undefined : toStoredResponse.get(`${order.userId} ${order.key}`);
    if (answer.status === 503)
      return eventsOfOrder.length < 2 ? [] : [`${order.path} was told ${eventsOfOrder.length} times`];
    if (!isSuccess(one))
      return eventsOfOrder.length === 0 && row === undefined && !offering.has(order.requestId)
        ? []
        : [`${order.path} was refused (${answer.body.code}) and had an effect`];
    const isUnchanged = eventsOfOrder.length === 0 && isMoveToItself(one, events);
    const shown = isUnchanged ? [] : changedBy(one);
    // A series without an upcoming booking: nothing is canceled, and nothing stored.
    const isNothing = row === undefined && shown.length === 0 && order.path.includes('/series/');
    if (eventsOfOrder.length !== shown.length)
      return [
        `${order.path} was acknowledged for ${shown.length} bookings and told ${eventsOfOrder.length} times`,
      ];
    return [
      ...shown.flatMap((data, at) => {
        const event = eventsOfOrder.find(({ booking_id }) => booking_id === data.id) ?? eventsOfOrder[at];
        if (event === undefined) return [];
        return [
          ...contradictions(one, data, event),
          ...calledAgain(one, event, ofBooking.get(event.booking_id) ?? []),
        ];
      }),
      ...(order.key === null || isNothing || (row?.body === answer.text && row.status === answer.status)
        ? []
        : [`${order.path}: what is kept for a repeat is not what was answered`]),
    ];
  });
  const unknown = events.filter(({ request_id }) => !known.has(request_id));
  return [...found, ...unknown.map(({ type, booking_id }) => `${type} of ${booking_id} was never answered`)];
};
