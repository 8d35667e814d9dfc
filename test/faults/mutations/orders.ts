import { setTimeout as sleep } from 'node:timers/promises';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { insertDeviceLogin } from '../../../src/modules/auth/login/queries.ts';
import { issueAccessToken } from '../../../src/modules/auth/tokens.ts';
import type { Answer, Order, Settled } from '../../support/faults/acknowledged.ts';
import type { Member } from './clinic.ts';
import type { Stress } from './stress.ts';
import { type Trace, tick, traces } from './unruly-database.ts';

const refusals = new Set([
  'slot_full',
  'patient_busy',
  'too_many_bookings',
  'invalid_transition',
  'slot_unavailable',
  'version_mismatch',
  'queue_empty',
  'no_offer',
  'series_conflict',
  'email_unproved',
  'already_waiting',
  'waitlist_full',
]);

/** A waitlist entry that has ended meanwhile has no position. */
const isGone = ({ path }: Order, { body }: Answer): boolean =>
  path.endsWith('/move') && ['not_found', 'validation_failed'].includes(body.code);

const mayNotAsk = ({ body }: Answer): boolean =>
  ['unauthenticated', 'forbidden', 'not_found'].includes(body.code);

/** A change after whose acknowledgement no write may use the older data. */
interface Barrier {
  loginId?: string;
  userId?: string;
  date?: string;
  /** Of which doctor the date is closed; null for all of them. */
  doctorId?: string | null;
  /** Of which session nothing that is accepted waits for approval. */
  sessionId?: string;
  from: number;
  until: number;
}

const crosses = (barrier: Barrier, member: Member, loginId: string, trace: Trace, data: Answer['body']) =>
  trace.firstSent > barrier.from &&
  trace.lastSent < barrier.until &&
  (barrier.loginId === loginId ||
    barrier.userId === member.id ||
    (barrier.sessionId !== undefined && barrier.sessionId === data.session_id && data.status === 'waiting') ||
    (barrier.date !== undefined &&
      data.status === 'waiting' &&
      barrier.date === data.schedule_date &&
      (barrier.doctorId === null || barrier.doctorId === data.doctor_id)));

/** Orders on their way to the service, and what became of them. */
export const openOrders = ({ app, deps, db, clock, random }: Stress) => {
  const settled: Settled[] = [];
  const barriers: Barrier[] = [];
  const violations: string[] = [];
  /** Took effect too late, if it had one: a move to the slot that a booking has changes nothing. */
  const suspected: { requestId: string; what: string }[] = [];
  const uncertain: { order: Order; member: Member }[] = [];

  const attempt = async ({ path, token, key, requestId, body }: Order): Promise<Answer> => {
    const response = await app.request(`http://localhost${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        ...(key !== null && { 'Idempotency-Key': key }),
        'X-Request-Id': requestId,
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    const replayed = response.headers.get('Idempotency-Replayed') === 'true';
    return { status: response.status, text, body: JSON.parse(text), replayed };
  };

  /** Sends until it is answered, and says when the write was sent that did it. */
  const send = async (order: Order): Promise<{ answer: Answer; trace: Trace; tries: number }> => {
    for (let tries = 1; ; tries++) {
      const trace = { firstSent: 0, lastSent: 0 };
      const answer = await traces.run(trace, () => attempt(order));
      if (answer.status !== 503 || order.key === null) return { answer, trace, tries };
      if (tries < 40) continue;
      violations.push(`${order.path} was never answered`);
      return { answer, trace, tries };
    }
  };

  const judge = (order: Order, member: Member, loginId: string, sent: Awaited<ReturnType<typeof send>>[]) => {
    const successes = sent.filter(({ answer }) => answer.status < 300);
    const [first] = successes;
    const answer = (first ?? sent[0])?.answer as Answer;
    const isUncertain = first === undefined && sent.some(({ tries }) => tries > 1) && mayNotAsk(answer);
    if (isUncertain) uncertain.push({ order, member });
    else settled.push({ order, answer });
    if (successes.some((other) => other.answer.text !== answer.text))
      violations.push(`${order.path} was answered in two ways`);
    for (const { answer: other } of sent) {
      if (
        other.status >= 300 &&
        !refusals.has(other.body.code) &&
        other.status !== 503 &&
        !isGone(order, other) &&
        !(mayNotAsk(other) && hadBarrier(member))
      )
        violations.push(`${order.path} was answered ${other.status} ${other.body.code}`);
      if (other.body.booking_id !== undefined && other.body.booking_id === first?.answer.body.data?.id)
        violations.push(`${order.path} stood in its own way`);
    }
    for (const { answer: made, trace } of successes.filter(({ answer: { replayed } }) => !replayed))
      for (const barrier of barriers)
        if (crosses(barrier, member, loginId, trace, made.body.data ?? {}))
          suspected.push({
            requestId: order.requestId,
            what: `${order.path} took effect after ${JSON.stringify(barrier)} was acknowledged`,
          });
    return answer;
  };
  /** A client that got 503 and may not retry now does not know the result: it retries once it may. */
  const resolve = async (): Promise<void> => {
    for (const { order, member } of uncertain.splice(0))
      settled.push({ order, answer: (await send({ ...order, token: member.token })).answer });
    const told = await db.select({ requestId: bookingEvents.requestId }).from(bookingEvents);
    const known = new Set(told.map(({ requestId }) => requestId));
    for (const { requestId, what } of suspected.splice(0)) if (known.has(requestId)) violations.push(what);
  };
  const hadBarrier = (member: Member) =>
    barriers.some(({ userId, loginId }) => userId === member.id || loginId !== undefined);

  /** An order sent once or several times at once; `first` is its first success, while others are on their way. */
  const place = (member: Member, path: string, body: object, times = 1, keyless = 0.3) => {
    const key = times === 1 && random() < keyless ? null : crypto.randomUUID();
    const requestId = crypto.randomUUID();
    const order = { path, userId: member.id, token: member.token, key, requestId, body };
    const loginId = member.deviceLoginId;
    const sending = Array.from({ length: times }, async (_, at) => {
      if (at > 0) await sleep(random() * 5);
      return send(order);
    });
    const succeeded = sending.map(async (one) => {
      const { answer } = await one;
      if (answer.status >= 300) throw new Error('refused');
      return answer;
    });
    const first = Promise.any(succeeded).catch(() => null);
    return { first, done: Promise.all(sending).then((sent) => judge(order, member, loginId, sent)) };
  };

  /** An order that was acknowledged comes again: the same to the byte, and nothing happens. */
  const repeat = async (order: Order, token: string, before: Answer): Promise<void> => {
    const { answer } = await send({ ...order, token });
    if (answer.body.code === 'unauthenticated') return;
    if (!answer.replayed || answer.text !== before.text)
      violations.push(`${order.path}: a repeat was answered ${answer.status} ${answer.text}`);
  };

  /** Its key with another request is refused as such, and nothing happens. */
  const misuse = async (order: Order, token: string, other: Partial<Order>): Promise<void> => {
    const { answer } = await send({ ...order, token, ...other });
    if (answer.body.code !== 'idempotency_key_reused' && answer.body.code !== 'unauthenticated')
      violations.push(`${order.path}: its key was taken for another request (${answer.status})`);
  };

  const raise = (barrier: Omit<Barrier, 'from' | 'until'>): Barrier => {
    const raised = { ...barrier, from: tick(), until: Number.POSITIVE_INFINITY };
    barriers.push(raised);
    return raised;
  };

  /** Ends the member's login through the API, and gives them another one directly in the database. */
  const logOutAndIn = async (member: Member): Promise<void> => {
    const { deviceLoginId, token, id } = member;
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const response = await app.request('http://localhost/v1/auth/logout', {
      method: 'POST',
      headers,
      body: '{}',
    });
    if (response.status !== 200) violations.push(`the logout was answered ${response.status}`);
    raise({ loginId: deviceLoginId });
    const next = deps.newId();
    const expiresAt = clock.now + 86_400_000;
    const times = { createdAt: clock.now, lastSeenAt: clock.now, expiresAt };
    await db.batch(
      insertDeviceLogin(
        db,
        { id: next, userId: id, deviceId: '', userAgent: '', ...times },
        { hash: deps.newId(), deviceLoginId: next, generation: 0, issuedAt: clock.now, expiresAt },
      ),
    );
    member.deviceLoginId = next;
    const claims = { userId: id, deviceLoginId: next, role: 'patient' as const };
    member.token = await issueAccessToken(deps.tokenKeys, claims, clock.now, 86_400);
  };

  return { place, resolve, repeat, misuse, raise, logOutAndIn, settled, violations };
};
