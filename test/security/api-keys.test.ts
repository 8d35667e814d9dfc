import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { scopes } from '../../src/core/endpoint/endpoint.ts';
import { bookings } from '../../src/core/tables/bookings.ts';
import { apiKeys } from '../../src/core/tables/keys.ts';
import { doctorNotices } from '../../src/core/tables/queues.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { bookAs, open, revoke } from '../support/api-keys.ts';
import { act, book, createClinic } from '../support/clinic-people.ts';
import { beforeRoundTrip } from '../support/interleave.ts';
import { findViolations } from '../support/invariants.ts';
import { addKey } from '../support/keys.ts';
import { createReceiving } from '../support/receiver.ts';
import { createWorld } from '../support/world.ts';

describe('a key acts for the clinic', () => {
  it('and under its own name: in events, timeline, changes and cancellations', async () => {
    const opened = await open();
    const { world, clinic, key } = opened;
    const made = await bookAs(opened);
    expect([made.status, made.body.data.status]).toEqual([201, 'approved']);
    const { id } = made.body.data;
    expect((await act(world, key, id, 'cancel', { reason: 'Dokter sakit' })).status).toBe(200);
    const rows = await world.db.select().from(bookingEvents);
    expect(rows.map(({ actorId, actorRole }) => [actorId, actorRole])).toEqual([
      [key.id, 'api_key'],
      [key.id, 'api_key'],
    ]);
    const { token } = clinic.staff;
    const timeline = await world.request(`/v1/bookings/${id}/events`, { token });
    expect(timeline.body.data).toMatchObject([
      { by: 'api_key', by_name: 'Mesin antrean' },
      { by: 'api_key', by_name: 'Mesin antrean' },
    ]);
    const changes = await world.request('/v1/bookings/changes?after=0', { token: key.token });
    expect(changes.body.data.map(({ by }: { by: string }) => by)).toEqual(['api_key', 'api_key']);
    const seen = await world.request(`/v1/bookings/${id}`, { token: clinic.patient.token });
    expect(seen.body.data.cancellation).toMatchObject({ by: 'api_key', reason: 'Dokter sakit' });
    const statistics = await world.request('/v1/admin/statistics?from=2026-11-23&to=2026-11-23', {
      token: clinic.admin.token,
    });
    expect(statistics.body.data).toMatchObject([{ canceled_by_clinic: 1 }]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('through a whole visit, as the desk does', async () => {
    const opened = await open();
    const { world, clinic, key } = opened;
    const made = await bookAs(opened, { check_in: true });
    const next = await world.request(`/v1/doctors/${clinic.practice.doctorId}/queue/next`, {
      token: key.token,
      body: {},
    });
    expect(next.body.data).toMatchObject({ id: made.body.data.id, visit: { status: 'called' } });
    expect((await act(world, key, made.body.data.id, 'complete')).status).toBe(200);
    const notice = { date: '2026-11-23', delay_minutes: 20 };
    const noticed = await world.request(`/v1/doctors/${clinic.practice.doctorId}/notice`, {
      method: 'PUT',
      token: key.token,
      body: notice,
    });
    expect(noticed.status).toBe(200);
    const over = await bookAs(opened, { overbook: true, patient_id: clinic.stranger.id });
    expect(over.status).toBe(201);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('and receivers of webhooks are notified', async () => {
    const world = await createWorld();
    const { practice, receiver } = await createReceiving(world);
    const clinic = await createClinic(world);
    const key = await addKey(world, scopes);
    await bookAs({ world, clinic: { ...clinic, practice }, key });
    await deliverWebhooks(world.deps);
    expect(receiver.received.map(({ body }) => JSON.parse(body).data.actor_role)).toEqual(['api_key']);
  });

  it('in the audit trail by its id, as a key', async () => {
    const { world, clinic, key } = await open();
    const body = { name: 'Bu Siti', phone_number: '81399900001' };
    expect((await world.request('/v1/patients', { token: key.token, body })).status).toBe(201);
    const doctor = { name: 'Ratna Kusuma', title: 'dr.', specialty: '' };
    expect((await world.request('/v1/admin/doctors', { token: key.token, body: doctor })).status).toBe(201);
    const trail = await world.request('/v1/admin/security-events?limit=2', { token: clinic.admin.token });
    const by = { actor_id: key.id, actor_kind: 'api_key', device_login_id: null };
    expect(trail.body.data).toMatchObject([
      { type: 'doctor_created', ...by },
      { type: 'patient_created', ...by },
    ]);
  });

  it('but never as a patient: it names for whom it books, and has no history, family or profile', async () => {
    const opened = await open();
    const { world, key } = opened;
    const unnamed = await bookAs(opened, { patient_id: undefined });
    expect([unnamed.status, Object.keys(unnamed.body.errors)]).toEqual([422, ['patient_id']]);
    const nobody = await bookAs(opened, { patient_id: key.id });
    expect([nobody.status, Object.keys(nobody.body.errors)]).toEqual([422, ['patient_id']]);
    for (const path of ['/v1/bookings/history', '/v1/family', '/v1/auth/profile']) {
      const { status, body } = await world.request(path, { token: key.token });
      expect([path, status, body.code, body.scope]).toEqual([path, 403, 'insufficient_scope', null]);
    }
  });

  it('manages holidays with catalog:write, and sees no patient by it', async () => {
    const { world, clinic } = await open();
    await book(world, clinic);
    const keeper = await addKey(world, ['catalog:read', 'catalog:write']);
    const body = { name: 'Libur nasional', start_date: '2026-11-23' };
    const made = await world.request('/v1/admin/closures', { token: keeper.token, body });
    expect(made.body.meta).toEqual({ affected_bookings: [], affected_total: 1 });
    const closure = `/v1/admin/closures/${made.body.data.id}`;
    expect((await world.request(closure, { token: keeper.token })).body.meta.affected_bookings).toEqual([]);
    expect((await world.request(closure, { token: clinic.staff.token })).body.meta).toMatchObject({
      affected_bookings: [{ patient_id: clinic.patient.id }],
    });
    const retired = await world.request(`/v1/admin/doctors/${clinic.practice.doctorId}`, {
      method: 'DELETE',
      token: keeper.token,
    });
    expect(JSON.stringify(retired.body)).not.toContain(clinic.patient.id);
  });

  it('a repeat under its Idempotency-Key has one effect, and another key has keys of its own', async () => {
    const opened = await open();
    const headers = { 'Idempotency-Key': 'sekali' };
    const [first, again] = [await bookAs(opened, {}, headers), await bookAs(opened, {}, headers)];
    expect(again.headers.get('Idempotency-Replayed')).toBe('true');
    expect(again.body).toEqual(first.body);
    const other = await addKey(opened.world, scopes);
    const fields = { schedule_time: '11:00:00' };
    const apart = await bookAs({ ...opened, key: other }, fields, headers);
    expect([apart.status, apart.headers.get('Idempotency-Replayed')]).toEqual([201, null]);
    expect(await opened.world.db.select().from(bookings)).toHaveLength(2);
  });
});

describe('a key that was revoked between reading and writing', () => {
  it.each(['book', 'cancel', 'next', 'notice'] as const)('writes nothing: %s', async (what) => {
    const opened = await open();
    const { world, clinic, key } = opened;
    const id = await book(world, clinic, { schedule_time: '10:00:00' });
    for (const verb of ['approve', 'check-in']) await act(world, clinic.staff, id, verb);
    const before = await world.db.select().from(bookings);
    beforeRoundTrip(world, 2, () => revoke(opened));
    const ofDoctor = `/v1/doctors/${clinic.practice.doctorId}`;
    const answer = await {
      book: () => bookAs(opened, { patient_id: clinic.stranger.id }),
      cancel: () => act(world, key, id, 'cancel'),
      next: () => world.request(`${ofDoctor}/queue/next`, { token: key.token, body: {} }),
      notice: () =>
        world.request(`${ofDoctor}/notice`, {
          method: 'PUT',
          token: key.token,
          body: { date: '2026-11-23', delay_minutes: 5 },
        }),
    }[what]();
    expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
    expect(await world.db.select().from(bookings)).toEqual(before);
    expect(await world.db.select().from(doctorNotices)).toEqual([]);
  });

  it('or whose end came meanwhile, neither', async () => {
    const opened = await open();
    const { world, key } = opened;
    beforeRoundTrip(world, 2, () =>
      world.db.update(apiKeys).set({ expiresAt: world.clock.now }).where(eq(apiKeys.id, key.id)),
    );
    expect((await bookAs(opened)).status).toBe(401);
    expect(await world.db.select().from(bookings)).toEqual([]);
  });
});

describe('a key is shown to nobody', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('by the log, at any level, or by an answer, whatever goes wrong', async () => {
    const opened = await open({ LOG_LEVEL: 'debug' });
    const { world, key } = opened;
    const lines: unknown[] = [];
    for (const level of ['debug', 'info', 'warn', 'error'] as const)
      vi.spyOn(console, level).mockImplementation((line: unknown) => void lines.push(line));
    const answers = [
      await bookAs(opened),
      await bookAs(opened, { patient_id: 'bukan' }),
      await world.request('/v1/auth/profile', { token: key.token }),
      await world.request('/v1/bookings?limit=x', { token: key.token }),
      await world.request('/v1/bookings', { token: `${key.token}x` }),
    ];
    world.deps.clock = () => {
      throw new Error('gangguan');
    };
    answers.push(await world.request('/v1/bookings', { token: key.token }));
    expect(answers.map(({ status }) => status)).toEqual([201, 422, 403, 400, 401, 500]);
    expect(lines.length).toBeGreaterThan(5);
    const told = JSON.stringify([lines, answers.map(({ body, headers }) => [body, [...headers]])]);
    expect(told).not.toContain(key.token.slice(10));
  });
});
