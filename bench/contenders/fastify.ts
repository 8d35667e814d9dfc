// The Fastify peer: the same service as an experienced engineer writes it in a day, with schemas for validation and
// serialisation, @fastify/jwt with its cache, and prepared statements.

import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import jwt from '@fastify/jwt';
import { verify } from '@node-rs/argon2';
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { eventSql, historySql, insertSql, instantOf, securityHeaders, sessionSql } from './floor-queries.ts';

const db = new DatabaseSync(process.env.DATABASE ?? '');
db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
const session = db.prepare(sessionSql);
const history = db.prepare(historySql);
const insertBooking = db.prepare(insertSql);
const insertEvent = db.prepare(eventSql);
const findUser = db.prepare('select * from users where email = ?');
const insertLogin = db.prepare(`insert into device_logins
  (id, user_id, device_id, user_agent, created_at, last_seen_at, expires_at) values (?, ?, ?, ?, ?, ?, ?)`);

type Row = Record<string, string>;
interface Claims {
  sub: string;
  sid: string;
}

const app = Fastify({ logger: false, genReqId: () => randomUUID(), bodyLimit: 65_536 });
await app.register(jwt, {
  secret: process.env.JWT_SECRET ?? '',
  verify: { cache: true, algorithms: ['HS256'] },
  sign: { expiresIn: '1h' },
});

app.addHook('onRequest', async (request, reply) => {
  reply.headers(securityHeaders).header('x-request-id', request.id);
});

const callers = new WeakMap<FastifyRequest, Row>();

const authenticate = async (request: FastifyRequest, reply: FastifyReply) => {
  try {
    const { sid, sub } = await request.jwtVerify<Claims>();
    const caller = session.get(sid, sub, Date.now()) as Row | undefined;
    if (caller === undefined) throw new Error('revoked');
    callers.set(request, caller);
  } catch {
    return reply.code(401).send({ status: 'error', code: 'unauthenticated' });
  }
};

const text = { type: 'string' };
const user = {
  type: 'object',
  properties: {
    id: text,
    name: text,
    phone_number: text,
    phone_country_code: text,
    email: text,
    device_id: text,
  },
};
const booking = {
  type: 'object',
  properties: {
    id: text,
    doctor_id: text,
    doctor_name: text,
    session_id: text,
    session_name: text,
    schedule_date: text,
    schedule_time: text,
    notes: text,
    status: text,
  },
};
const envelope = (data: object, more: object = {}) => ({
  type: 'object',
  properties: { status: text, message: text, data, ...more },
});

app.get('/health', async () => ({ status: 'success' }));

const profile = envelope({
  type: 'object',
  properties: { user, role: text, email_proved: { type: 'boolean' } },
});
app.get(
  '/v1/auth/profile',
  { onRequest: authenticate, schema: { response: { 200: profile } } },
  async (request) => {
    const { role, email_proved_at, ...user } = callers.get(request) ?? {};
    return { status: 'success', data: { user, role, email_proved: email_proved_at !== null } };
  },
);

const meta = { type: 'object', properties: { next_cursor: { type: ['string', 'null'] } } };
const page = envelope({ type: 'array', items: booking }, { meta });
app.get(
  '/v1/bookings/history',
  { onRequest: authenticate, schema: { response: { 200: page } } },
  async (request) => ({
    status: 'success',
    data: history.all(callers.get(request)?.id ?? ''),
    meta: { next_cursor: null },
  }),
);

const slotSchema = {
  type: 'object',
  required: ['doctor_id', 'session_id', 'schedule_date', 'schedule_time'],
  properties: {
    doctor_id: { type: 'string', format: 'uuid' },
    session_id: { type: 'string', format: 'uuid' },
    schedule_date: { type: 'string', format: 'date' },
    schedule_time: { type: 'string', pattern: '^\\d\\d:\\d\\d:\\d\\d$' },
    notes: { type: 'string', maxLength: 1_000, default: '' },
  },
};
app.post<{ Body: Row }>(
  '/v1/bookings',
  { onRequest: authenticate, schema: { body: slotSchema, response: { 201: envelope(booking) } } },
  async (request, reply) => {
    const {
      doctor_id = '',
      session_id = '',
      schedule_date = '',
      schedule_time = '',
      notes = '',
    } = request.body;
    const patient = callers.get(request)?.id ?? '';
    const [id, write, now] = [randomUUID(), randomUUID(), Date.now()];
    const starts = instantOf(schedule_date, schedule_time);
    db.exec('begin immediate');
    try {
      const data = insertBooking.get({
        id,
        write,
        patient,
        doctor: doctor_id,
        session: session_id,
        date: schedule_date,
        time: schedule_time,
        starts,
        weekday: new Date(`${schedule_date}T00:00:00Z`).getUTCDay() || 7,
        code: id.slice(0, 13),
        notes,
        now,
      });
      if (data !== undefined)
        insertEvent.run(write, id, patient, request.id, now, JSON.stringify({ ...data, starts_at: starts }));
      db.exec('commit');
      if (data === undefined) return reply.code(409).send({ status: 'error', code: 'slot_full' });
      return reply.code(201).send({ status: 'success', message: 'Booking berhasil dibuat.', data });
    } catch (error) {
      db.exec('rollback');
      throw error;
    }
  },
);

const credentials = {
  type: 'object',
  required: ['email', 'password'],
  properties: { email: { type: 'string', maxLength: 254 }, password: { type: 'string', maxLength: 128 } },
};
app.post<{ Body: Row }>('/v1/auth/login', { schema: { body: credentials } }, async (request, reply) => {
  const { email = '', password = '' } = request.body;
  const found = findUser.get(email.toLowerCase()) as Row | undefined;
  if (found === undefined || !(await verify(found.password_hash ?? '', password)))
    return reply.code(401).send({ status: 'error', code: 'invalid_credentials' });
  const [sid, now] = [randomUUID(), Date.now()];
  insertLogin.run(
    sid,
    found.id ?? '',
    '',
    request.headers['user-agent'] ?? '',
    now,
    now,
    now + 2_592_000_000,
  );
  const access_token = app.jwt.sign({ sub: found.id, sid, role: found.role });
  return { status: 'success', data: { user: { id: found.id, email: found.email }, access_token } };
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
process.on('SIGTERM', () => process.exit(0));
