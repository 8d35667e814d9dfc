// The floor: node:http and node:sqlite, hand-written for exactly the work of the measured routes and nothing else.

import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { DatabaseSync } from 'node:sqlite';
import { eventSql, historySql, insertSql, instantOf, securityHeaders, sessionSql } from './floor-queries.ts';

const db = new DatabaseSync(process.env.DATABASE ?? '');
db.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on');
const session = db.prepare(sessionSql);
const history = db.prepare(historySql);
const insertBooking = db.prepare(insertSql);
const insertEvent = db.prepare(eventSql);
const secret = process.env.JWT_SECRET ?? '';

interface Claims {
  sub: string;
  sid: string;
  exp: number;
}

const verified = new Map<string, Claims>();

const verify = (token: string): Claims | null => {
  const known = verified.get(token);
  if (known !== undefined) return known.exp > Date.now() / 1000 ? known : null;
  const [header = '', payload = '', signature = ''] = token.split('.');
  const expected = createHmac('sha256', secret).update(`${header}.${payload}`).digest();
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Claims;
  if (verified.size >= 10_000) verified.delete(verified.keys().next().value ?? '');
  verified.set(token, claims);
  return claims.exp > Date.now() / 1000 ? claims : null;
};

const headersOf = (requestId: string) => ({
  'content-type': 'application/json; charset=UTF-8',
  ...securityHeaders,
  'x-request-id': requestId,
});

const send = (response: ServerResponse, status: number, body: object, requestId: string = randomUUID()) => {
  const text = JSON.stringify(body);
  response.writeHead(status, { ...headersOf(requestId), 'content-length': Buffer.byteLength(text) });
  response.end(text);
};

type Row = Record<string, string>;

const callerOf = (request: IncomingMessage): Row | undefined => {
  const claims = verify((request.headers.authorization ?? '').slice('Bearer '.length));
  return claims === null ? undefined : (session.get(claims.sid, claims.sub, Date.now()) as Row | undefined);
};

const bodyOf = (request: IncomingMessage): Promise<Row> =>
  new Promise((resolve) => {
    let text = '';
    request.setEncoding('utf8');
    request.on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => resolve(JSON.parse(text)));
  });

const book = (caller: Row, input: Row, requestId: string): Row | undefined => {
  const { doctor_id = '', session_id = '', schedule_date = '', schedule_time = '', notes = '' } = input;
  const now = Date.now();
  const id = randomUUID();
  const write = randomUUID();
  const starts = instantOf(schedule_date, schedule_time);
  db.exec('begin immediate');
  try {
    const row = insertBooking.get({
      id,
      write,
      patient: caller.id ?? '',
      doctor: doctor_id,
      session: session_id,
      date: schedule_date,
      time: schedule_time,
      starts,
      weekday: new Date(`${schedule_date}T00:00:00Z`).getUTCDay() || 7,
      code: id.slice(0, 13),
      notes,
      now,
    }) as Row | undefined;
    if (row !== undefined)
      insertEvent.run(
        write,
        id,
        caller.id ?? '',
        requestId,
        now,
        JSON.stringify({ ...row, starts_at: starts }),
      );
    db.exec('commit');
    return row;
  } catch (error) {
    db.exec('rollback');
    throw error;
  }
};

const server = createServer(async (request, response) => {
  if (request.url === '/health') return send(response, 200, { status: 'success' });
  const caller = callerOf(request);
  if (caller === undefined) return send(response, 401, { status: 'error', code: 'unauthenticated' });
  if (request.method === 'POST' && request.url === '/v1/bookings') {
    const requestId = randomUUID();
    const data = book(caller, await bodyOf(request), requestId);
    if (data === undefined) return send(response, 409, { status: 'error', code: 'slot_full' }, requestId);
    return send(response, 201, { status: 'success', message: 'Booking berhasil dibuat.', data }, requestId);
  }
  if (request.url === '/v1/auth/profile') {
    const { role, email_proved_at, ...user } = caller;
    const data = { user, role, email_proved: email_proved_at !== null };
    return send(response, 200, { status: 'success', data });
  }
  if (request.url === '/v1/bookings/history') {
    const data = history.all(caller.id ?? '');
    return send(response, 200, { status: 'success', data, meta: { next_cursor: null } });
  }
  return send(response, 404, { status: 'error', code: 'not_found' });
});

server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));
