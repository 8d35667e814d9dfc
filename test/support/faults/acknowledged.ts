import Database from 'libsql';

/** What a client wants, however often it has to be sent: each try carries the same key and request id. */
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
};

const isSuccess = ({ answer }: Settled): boolean => answer.status < 300;

/** What an event says otherwise than the answer to the order that caused it. */
const contradictions = ({ order, answer }: Settled, event: Event): string[] => {
  const data = { ...answer.body.data };
  // The event tells how far the visit came, the detail also when.
  if ('visit' in data) data.visit = data.visit?.status ?? null;
  const payload = JSON.parse(event.payload);
  const expected = eventTypes[order.path.split('/').at(-1) ?? ''];
  const shared = Object.keys(payload).filter((name) => name in data && payload[name] !== data[name]);
  return [
    ...(event.type === expected ? [] : [`${order.path} was told as ${event.type}`]),
    ...(event.booking_id === data.id ? [] : [`${order.path} was told of another booking`]),
    ...('version' in data && data.version !== event.version
      ? [`${order.path} answered version ${data.version}, its event is the ${event.version}th`]
      : []),
    ...shared.map((name) => `${order.path} answered ${name} ${data[name]}, its event tells ${payload[name]}`),
  ];
};

/** A move to the slot that the booking had already: it changes nothing and is told to nobody. */
const isMoveToItself = ({ order, answer }: Settled, events: readonly Event[]): boolean => {
  if (!order.path.endsWith('/reschedule')) return false;
  const { data } = answer.body;
  const then = events.find(({ booking_id, version }) => booking_id === data.id && version === data.version);
  if (then === undefined || then.request_id === order.requestId) return false;
  const payload = JSON.parse(then.payload);
  return Object.entries(order.body).every(([name, value]) => !(name in payload) || payload[name] === value);
};

/** Whom `queue/next` called though they were called already, or were not there. */
const calledAgain = ({ order }: Settled, called: Event, ofBooking: readonly Event[]): string[] => {
  if (!order.path.endsWith('/next')) return [];
  const before = ofBooking.find(({ version }) => version === called.version - 1);
  const visit = before === undefined ? 'nobody' : JSON.parse(before.payload).visit;
  return visit === 'checked_in' ? [] : [`${called.booking_id} was ${visit} when called as the next`];
};

/**
 * Whether effects and acknowledgements are the same: each success has one event that tells it and one kept answer
 * that repeats it, a refusal has neither, and nothing else happened.
 */
export const differencesFrom = (path: string, settled: readonly Settled[]): string[] => {
  const database = new Database(path, { timeout: 1000 });
  let events: Event[];
  let storedResponses: StoredResponse[];
  try {
    events = database
      .prepare(
        "select request_id, type, booking_id, version, payload from booking_events where type like 'booking.%'",
      )
      .all() as Event[];
    storedResponses = database
      .prepare('select user_id, key, status, body from replays')
      .all() as StoredResponse[];
  } finally {
    database.close();
  }
  const eventsOf = Map.groupBy(events, ({ request_id }) => request_id);
  const ofBooking = Map.groupBy(events, ({ booking_id }) => booking_id);
  const storedResponseOf = new Map(storedResponses.map((row) => [`${row.user_id} ${row.key}`, row]));
  const known = new Set(settled.map(({ order }) => order.requestId));
  const found = settled.flatMap((one) => {
    const { order, answer } = one;
    const eventsOfOrder = eventsOf.get(order.requestId) ?? [];
    const row = order.key === null ? undefined : storedResponseOf.get(`${order.userId} ${order.key}`);
    if (answer.status === 503)
      return eventsOfOrder.length < 2 ? [] : [`${order.path} was told ${eventsOfOrder.length} times`];
    if (!isSuccess(one))
      return eventsOfOrder.length + (row === undefined ? 0 : 1) === 0
        ? []
        : [`${order.path} was refused (${answer.body.code}) and had an effect`];
    const isUnchanged = eventsOfOrder.length === 0 && isMoveToItself(one, events);
    if (eventsOfOrder.length !== 1 && !isUnchanged)
      return [`${order.path} was acknowledged and told ${eventsOfOrder.length} times`];
    const event = eventsOfOrder[0] as Event;
    return [
      ...(isUnchanged ? [] : contradictions(one, event)),
      ...(isUnchanged ? [] : calledAgain(one, event, ofBooking.get(event.booking_id) ?? [])),
      ...(order.key === null || (row?.body === answer.text && row.status === answer.status)
        ? []
        : [`${order.path}: what is kept for a repeat is not what was answered`]),
    ];
  });
  const unknown = events.filter(({ request_id }) => !known.has(request_id));
  return [...found, ...unknown.map(({ type, booking_id }) => `${type} of ${booking_id} was never answered`)];
};
