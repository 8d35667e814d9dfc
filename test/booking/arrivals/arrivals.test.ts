import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { securityEvents, users } from '../../../src/core/tables/accounts.ts';
import { patients } from '../../../src/core/tables/patients.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { addKey } from '../../support/keys.ts';
import { createWorld } from '../../support/world.ts';

const minute = 60_000;
const on = { SELF_CHECK_IN_MINUTES: '60' };

/** A clinic whose patient has an approved booking today at nine, and a tablet in its entrance. */
const open = async (settings: Record<string, string> = on) => {
  const world = await createWorld(settings);
  const clinic = await createClinic(world, { room: 'Ruang 3' });
  const id = await book(world, clinic);
  await act(world, clinic.staff, id, 'approve');
  await world.db
    .update(patients)
    .set({ name: 'Rina Kartika', birthDate: '1990-05-17' })
    .where(eq(patients.id, clinic.patient.id));
  // An account and its record have one name.
  await world.db.update(users).set({ name: 'Rina Kartika' }).where(eq(users.id, clinic.patient.id));
  const code = (await detail(world, clinic.staff, id)).booking_code as string;
  const tablet = await addKey(world, ['arrivals:write']);
  const scan = (body: object, token = tablet.token) => world.request('/v1/check-ins', { token, body });
  const makePoster = async () =>
    (await world.request('/v1/admin/check-in-poster', { method: 'POST', token: clinic.admin.token })).body
      .data.secret as string;
  const arrive = (poster: string, who = clinic.patient, booking = id) =>
    act(world, who, booking, 'arrive', { poster });
  const visit = async () => (await detail(world, clinic.staff, id)).visit;
  /** Half past eight: within the hour before the booking. */
  const pass = (minutes: number) => {
    world.clock.now += minutes * minute;
  };
  pass(90);
  return { world, clinic, id, code, tablet, scan, makePoster, arrive, visit, pass };
};

describe('a kiosk', () => {
  it('checks in by the code of the ticket, and shows initials, label, room and doctor', async () => {
    const { world, clinic, id, code, scan, tablet, visit } = await open();
    const answer = await scan({ code });
    expect(answer.status).toBe(200);
    const { queue_label } = await detail(world, clinic.staff, id);
    expect(answer.body.data).toEqual({
      queue_label,
      initials: 'R. K.',
      room: 'Ruang 3',
      doctor_name: 'dr. Sari Wulandari',
      session_name: 'Konsultasi',
      schedule_date: '2026-11-23',
      schedule_time: '09:00:00',
      starts_at: '2026-11-23T02:00:00.000Z',
      time_zone: 'Asia/Jakarta',
      booking_code: code,
      visit: 'checked_in',
    });
    expect(JSON.stringify(answer.body)).not.toMatch(/Rina|Kartika|1990-05-17|81234567890/);
    expect((await visit()).status).toBe('checked_in');
    const [last] = (await world.db.select().from(bookingEvents).where(eq(bookingEvents.bookingId, id))).slice(
      -1,
    );
    expect(last).toMatchObject({
      type: 'booking.checked_in',
      actorId: tablet.id,
      actorRole: 'api_key',
    });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('takes the code as people type it, with the date of birth', async () => {
    const { code, scan } = await open();
    const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)} `;
    expect((await scan({ code: typed, birth_date: '1990-05-17' })).status).toBe(200);
  });

  it('answers a wrong code and a wrong date of birth alike, and writes both down without them', async () => {
    const { world, code, scan, tablet, visit } = await open();
    const wrongDate = await scan({ code, birth_date: '1990-05-18' });
    const wrongCode = await scan({ code: 'ZZZZZZZZ', birth_date: '1990-05-17' });
    const { request_id: _, ...first } = wrongDate.body;
    const { request_id: __, ...second } = wrongCode.body;
    expect([wrongDate.status, first]).toEqual([422, second]);
    expect([wrongCode.status, wrongCode.body.code]).toEqual([422, 'arrival_unknown']);
    expect(await visit()).toBe(null);
    const lines = await world.db
      .select()
      .from(securityEvents)
      .where(eq(securityEvents.type, 'check_in_refused'));
    expect(lines.map(({ actorId, actorKind, detail }) => [actorId, actorKind, detail])).toEqual([
      [tablet.id, 'api_key', '{}'],
      [tablet.id, 'api_key', '{}'],
    ]);
  });

  it('finds nobody by a date of birth that is not stored', async () => {
    const { world, clinic, code, scan } = await open();
    await world.db.update(patients).set({ birthDate: null }).where(eq(patients.id, clinic.patient.id));
    expect((await scan({ code, birth_date: '1990-05-17' })).status).toBe(422);
    expect((await scan({ code })).status).toBe(200);
  });

  it('checks in once: a second time is the same answer and no second event', async () => {
    const { world, code, scan } = await open();
    const first = await scan({ code });
    const events = (await world.db.select().from(bookingEvents)).length;
    const second = await scan({ code });
    expect([second.status, second.body.data]).toEqual([200, first.body.data]);
    expect(await world.db.select().from(bookingEvents)).toHaveLength(events);
  });

  it('checks in once where the desk does so in the same moment', async () => {
    const { world, clinic, id, code, scan } = await open();
    beforeRoundTrip(world, 4, () => act(world, clinic.staff, id, 'check-in'));
    expect((await scan({ code })).status).toBe(200);
    const arrived = (await world.db.select().from(bookingEvents)).filter(
      ({ type }) => type === 'booking.checked_in',
    );
    expect(arrived.map(({ actorRole }) => actorRole)).toEqual(['staff']);
  });

  it('opens and closes with the window, and says when it opens', async () => {
    const { code, scan, pass } = await open();
    pass(-31);
    const early = await scan({ code });
    expect([early.status, early.body.code]).toEqual([409, 'check_in_closed']);
    expect(early.body.message).toContain('23 November 2026, mulai pukul 08.00');
    pass(1 + 60 + 61);
    expect((await scan({ code })).body.code).toBe('check_in_closed');
    pass(-1);
    expect((await scan({ code })).status).toBe(200);
  });

  it('opens on the day of the booking alone, however wide the window is', async () => {
    const { world, clinic, scan, pass } = await open({ SELF_CHECK_IN_MINUTES: '720' });
    const id = await book(world, clinic, { schedule_date: '2026-11-24', schedule_time: '08:00:00' });
    const { booking_code: code } = await detail(world, clinic.staff, id);
    pass(15 * 60);
    const before = await scan({ code });
    expect(before.body.code).toBe('check_in_closed');
    // Not the evening before, when it is refused.
    expect(before.body.message).toContain('24 November 2026, mulai pukul 00.00');
    pass(60);
    expect((await scan({ code })).status).toBe(200);
  });

  it('approves a waiting booking as the desk does, until its slot ends', async () => {
    const { world, clinic, scan, pass } = await open();
    const id = await book(world, clinic, { schedule_time: '09:30:00' }, clinic.stranger.token);
    const { booking_code: code } = await detail(world, clinic.staff, id);
    pass(91);
    expect((await scan({ code })).body.code).toBe('check_in_closed');
    pass(-31);
    expect((await scan({ code })).status).toBe(200);
    expect((await detail(world, clinic.staff, id)).status).toBe('approved');
  });

  it('sends to the desk who has canceled or did not come', async () => {
    const { world, clinic, id, code, scan, pass } = await open();
    pass(35);
    await act(world, clinic.staff, id, 'no-show');
    expect((await scan({ code })).body.code).toBe('check_in_closed');
    await act(world, clinic.staff, id, 'undo', { version: 3 });
    await act(world, clinic.staff, id, 'cancel');
    expect((await scan({ code })).body.code).toBe('check_in_closed');
  });

  it('slows down who guesses the date of birth of a booking, and the device that tries many codes', async () => {
    const { world, code, scan } = await open({ ...on, RATE_LIMIT: 'on' });
    for (let tried = 0; tried < 5; tried += 1)
      expect((await scan({ code, birth_date: `1990-05-0${tried + 1}` })).status).toBe(422);
    const slowed = await scan({ code, birth_date: '1990-05-17' });
    expect([slowed.status, slowed.body.code]).toEqual([429, 'rate_limited']);
    expect(Number(slowed.headers.get('Retry-After'))).toBeGreaterThan(0);
    // Another tablet meets the same limit of the booking after a few more, and its own at once after sixty codes.
    const other = await addKey(world, ['arrivals:write']);
    const fromOther = (body: object) => scan(body, other.token);
    for (let tried = 0; tried < 3; tried += 1) await fromOther({ code, birth_date: `1991-05-0${tried + 1}` });
    expect((await fromOther({ code, birth_date: '1990-05-17' })).status).toBe(429);
    const third = await addKey(world, ['arrivals:write']);
    let last = 0;
    for (let tried = 0; tried < 62 && last !== 429; tried += 1)
      last = (await scan({ code: `ZZZZZZ${String(tried).padStart(2, '0')}` }, third.token)).status;
    expect(last).toBe(429);
    const fourth = await addKey(world, ['arrivals:write']);
    expect((await scan({ code: 'ZZZZZZZZ' }, fourth.token)).status).toBe(422);
  });

  it('is 404 until the clinic has turned it on, and its key opens nothing else', async () => {
    const { world, clinic, code, tablet, scan, makePoster, arrive } = await open({});
    expect((await scan({ code })).status).toBe(404);
    expect((await arrive(await makePoster())).status).toBe(404);
    const saved = await world.request('/v1/admin/clinic', {
      method: 'PATCH',
      token: clinic.admin.token,
      body: { self_check_in_minutes: 45 },
    });
    expect(saved.status).toBe(200);
    expect((await world.request('/v1/clinic')).body.data.self_check_in_minutes).toBe(45);
    expect((await scan({ code })).status).toBe(200);
    for (const path of ['/v1/bookings', '/v1/patients', '/v1/admin/clinic'])
      expect((await world.request(path, { token: tablet.token })).body.code).toBe('insufficient_scope');
  });
});

describe('the poster', () => {
  it('lets the own phone check in, as the patient, within the same window', async () => {
    const { world, id, makePoster, arrive, visit, pass } = await open();
    const poster = await makePoster();
    pass(-31);
    expect((await arrive(poster)).body.code).toBe('check_in_closed');
    pass(31);
    const answer = await arrive(poster);
    expect([answer.status, answer.body.data.visit.status]).toEqual([200, 'checked_in']);
    expect(answer.body.data).not.toHaveProperty('staff_notes');
    expect((await arrive(poster)).status).toBe(200);
    expect((await visit()).status).toBe('checked_in');
    const arrived = (
      await world.db.select().from(bookingEvents).where(eq(bookingEvents.bookingId, id))
    ).filter(({ type }) => type === 'booking.checked_in');
    expect(arrived.map(({ actorRole }) => actorRole)).toEqual(['patient']);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('approves no booking that waits for approval, so that nobody does so from home', async () => {
    const { world, clinic, id, makePoster, arrive } = await open();
    const poster = await makePoster();
    const waiting = await book(world, clinic, { schedule_time: '09:30:00' }, clinic.stranger.token);
    const refused = await arrive(poster, clinic.stranger, waiting);
    expect([refused.status, refused.body.code]).toEqual([409, 'check_in_closed']);
    expect(refused.body.message).toContain('belum disetujui klinik');
    expect((await detail(world, clinic.staff, waiting)).status).toBe('waiting');
    await act(world, clinic.staff, waiting, 'approve');
    expect((await arrive(poster, clinic.stranger, waiting)).status).toBe(200);
    expect((await arrive(poster, clinic.patient, id)).status).toBe(200);
  });

  it('is worth nothing to others, nor with another secret, nor once a new one was made', async () => {
    const { clinic, makePoster, arrive, visit } = await open();
    expect((await arrive('')).status).toBe(422);
    const old = await makePoster();
    expect((await arrive(old, clinic.stranger)).status).toBe(404);
    expect((await arrive(`${old}x`)).status).toBe(422);
    const poster = await makePoster();
    expect(poster).not.toBe(old);
    expect((await arrive(old)).body.message).toContain('Poster ini tidak berlaku lagi');
    expect(await visit()).toBe(null);
    expect((await arrive(poster)).status).toBe(200);
  });

  it('is made and read by admins alone, and each making has its line', async () => {
    const { world, clinic, makePoster } = await open();
    const path = '/v1/admin/check-in-poster';
    const read = (who: { token: string }) => world.request(path, { token: who.token });
    expect((await read(clinic.admin)).body.data).toEqual({ secret: null });
    const secret = await makePoster();
    expect(secret).toMatch(/^[\w-]{22}$/);
    expect((await read(clinic.admin)).body.data).toEqual({ secret });
    expect((await read(clinic.staff)).status).toBe(403);
    expect((await world.request('/v1/clinic')).body.data).not.toHaveProperty('poster_secret');
    const lines = await world.db.select().from(securityEvents).where(eq(securityEvents.type, 'poster_made'));
    expect(lines.map(({ actorId }) => actorId)).toEqual([clinic.admin.id]);
    expect(JSON.stringify(lines)).not.toContain(secret);
  });
});
