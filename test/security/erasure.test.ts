import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { securityEvents, users } from '../../src/core/tables/accounts.ts';
import { bookingEvents } from '../../src/core/tables/webhooks.ts';
import { deliverWebhooks } from '../../src/modules/webhooks/delivery/deliver.ts';
import { act, book } from '../support/clinic-people.ts';
import { deleteAccount, setUp } from '../support/erasure.ts';
import { crashAtRoundTrip } from '../support/interleave.ts';
import { findViolations } from '../support/invariants.ts';
import { createPerson } from '../support/people.ts';
import { createEndpoint, createReceiver } from '../support/receiver.ts';
import { createWorld, password, registerPatient } from '../support/world.ts';

const told = ({ body }: { body: Record<string, unknown> }) => ({ ...body, request_id: null });

describe('a person who deletes their account', () => {
  it('ends every token at once, and a login is answered as an unknown one is', async () => {
    const world = await createWorld();
    const person = await registerPatient(world);
    const answer = await deleteAccount(world, person);
    expect(answer).toMatchObject({
      status: 200,
      body: { message: 'Akun dan data diri Anda telah dihapus.' },
    });
    expect((await world.request('/v1/auth/profile', { token: person.token })).status).toBe(401);
    expect((await deleteAccount(world, person)).status).toBe(401);
    const body = { refresh_token: person.refreshToken };
    expect((await world.request('/v1/auth/refresh', { body })).status).toBe(401);
    const logIn = (email: string) => world.request('/v1/auth/login', { body: { email, password } });
    const [gone, unknown] = [await logIn(person.email), await logIn('siapa@klinik.example')];
    expect([gone.status, told(gone)]).toEqual([unknown.status, told(unknown)]);
  });

  it('may register again with the e-mail, and sees no earlier data', async () => {
    const { world, clinic } = await setUp();
    const before = await registerPatient(world);
    await book(world, clinic, {}, before.token);
    await deleteAccount(world, before);
    const after = await registerPatient(world, { email: before.email });
    expect(after.id).not.toBe(before.id);
    const history = await world.request('/v1/bookings/history', { token: after.token });
    expect(history.body.data).toEqual([]);
    const exported = await world.request('/v1/auth/export', { method: 'POST', token: after.token });
    expect(exported.body.data).toMatchObject({ bookings: [], records: [{ id: after.id }] });
    expect(JSON.stringify(exported.body)).not.toContain(before.id);
  });

  it('needs a login of the last ten minutes', async () => {
    const world = await createWorld();
    const person = await registerPatient(world);
    world.clock.now += 11 * 60_000;
    const late = { status: 403, body: { code: 'reauthentication_required' } };
    expect(await deleteAccount(world, person)).toMatchObject(late);
    const exported = await world.request('/v1/auth/export', { method: 'POST', token: person.token });
    expect(exported).toMatchObject(late);
  });

  it('cancels what is to come, whatever the lead, and notifies the receivers; the visits stay under an anonymous id', async () => {
    const { world, clinic, bookingOf, recordOf, visit } = await setUp({ CANCEL_LEAD_MINUTES: '43200' });
    const receiver = createReceiver(world);
    receiver.secret = (await createEndpoint(world)).secret;
    const { patient, staff } = clinic;
    const coming = await book(world, clinic, { notes: 'Batuk' });
    const was = await book(world, clinic, { schedule_time: '10:00:00', notes: 'Demam' });
    await visit(was);
    const answer = await deleteAccount(world, patient);
    expect(answer.status).toBe(200);
    expect(await bookingOf(coming)).toMatchObject({
      status: 'canceled',
      canceledBy: 'system',
      cancelReasonCode: 'account_deleted',
      version: 2,
      notes: '',
    });
    const kept = await bookingOf(was);
    expect(kept).toMatchObject({ patientId: patient.id, doctorName: 'dr. Sari Wulandari', notes: '' });
    expect(kept?.completedAt).not.toBeNull();
    expect(await recordOf(patient.id)).toMatchObject({ name: '', phoneNumber: '', createdBy: null });
    const found = await world.request(`/v1/patients/${patient.id}`, { token: staff.token });
    expect(found.status).toBe(404);
    const shown = await world.request(`/v1/bookings/${was}`, { token: staff.token });
    expect(shown.body.data).toMatchObject({ patient: { name: '', phone_number: '' }, notes: '' });
    await deliverWebhooks(world.deps);
    const types = receiver.received.map(({ type }) => type);
    expect(types.filter((type) => type === 'booking.canceled')).toHaveLength(1);
    expect(types).toContain('patient.deleted');
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is refused while somebody of the family is checked in today, and not tomorrow', async () => {
    const { world, clinic, addChild } = await setUp();
    const { patient, staff } = clinic;
    const childId = await addChild(patient);
    const id = await book(world, clinic, { patient_id: childId });
    await act(world, staff, id, 'check-in');
    expect(await deleteAccount(world, patient)).toMatchObject({
      status: 409,
      body: { code: 'visit_under_way' },
    });
    expect((await world.request('/v1/auth/profile', { token: patient.token })).status).toBe(200);
    await act(world, staff, id, 'complete');
    expect((await deleteAccount(world, patient)).status).toBe(200);
  });

  it('deletes the family’s records that only this account made and that were never treated, and unlinks the others', async () => {
    const { world, clinic, addChild, recordOf, bookingOf, share, visit } = await setUp();
    const { patient, stranger, staff } = clinic;
    const [alone, seen, shared, byDesk, booked] = [
      await addChild(patient, { name: 'Sendiri' }),
      await addChild(patient, { name: 'Terlihat' }),
      await addChild(patient, { name: 'Bersama' }),
      (
        await world.request('/v1/patients', {
          token: staff.token,
          body: { name: 'Meja', birth_date: '2019-04-23' },
        })
      ).body.data.id as string,
      await addChild(patient, { name: 'Terpesan' }),
    ];
    await share(shared, stranger);
    await share(byDesk, patient);
    await visit(await book(world, clinic, { patient_id: seen }));
    const day = { schedule_date: '2026-11-25' };
    const ofAlone = await book(world, clinic, { ...day, patient_id: alone });
    const ofSeen = await book(world, clinic, { ...day, patient_id: seen });
    const ofShared = await book(world, clinic, { ...day, patient_id: shared });
    const byClinic = await book(world, clinic, { ...day, patient_id: booked }, staff.token);
    expect((await deleteAccount(world, patient)).status).toBe(200);
    expect(await recordOf(alone)).toMatchObject({ name: '', birthDate: null });
    for (const [id, name] of [
      [seen, 'Terlihat'],
      [shared, 'Bersama'],
      [byDesk, 'Meja'],
      [booked, 'Terpesan'],
    ] as const)
      expect(await recordOf(id)).toMatchObject({ name, erasureId: null });
    expect((await bookingOf(ofAlone))?.cancelReasonCode).toBe('account_deleted');
    // Nobody is left who could cancel it.
    expect((await bookingOf(ofSeen))?.cancelReasonCode).toBe('account_deleted');
    // The other parent acts for the child, and the clinic for whom it booked.
    expect((await bookingOf(ofShared))?.status).toBe('waiting');
    expect((await bookingOf(byClinic))?.status).toBe('approved');
    const others = await world.request('/v1/family', { token: stranger.token });
    expect(others.body.data.map(({ id }: { id: string }) => id)).toContain(shared);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('leaves not even an id of a record to which no booking belongs', async () => {
    const { world, addChild, recordOf } = await setUp();
    const person = await registerPatient(world);
    const childId = await addChild(person);
    await deleteAccount(world, person);
    expect([await recordOf(person.id), await recordOf(childId)]).toEqual([undefined, undefined]);
  });

  it('works here no more, and the doctor stays; the last admin stays one', async () => {
    const { world, clinic } = await setUp();
    const { doctor, staff, admin, practice } = clinic;
    expect((await deleteAccount(world, doctor)).status).toBe(200);
    expect((await deleteAccount(world, staff)).status).toBe(200);
    const shown = await world.request(`/v1/doctors/${practice.doctorId}`);
    expect(shown.body.data.name).toBe('Sari Wulandari');
    expect(await deleteAccount(world, admin)).toMatchObject({ status: 409, body: { code: 'last_admin' } });
    const second = await createPerson(world, 'admin');
    const both = await Promise.all([deleteAccount(world, admin), deleteAccount(world, second)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('leaves an event with the id and the role, and no name', async () => {
    const { world, clinic } = await setUp();
    await deleteAccount(world, clinic.staff);
    const { id } = clinic.staff;
    const rows = await world.db.select().from(securityEvents).where(eq(securityEvents.userId, id));
    expect(rows).toMatchObject([{ type: 'account_deleted', actorId: id, detail: '{"role":"staff"}' }]);
  });
});

it.each(['before', 'after'] as const)(
  'a deletion whose database is lost %s a round trip is whole or never was, and asked again it is made',
  async (when) => {
    for (const nth of [1, 2]) {
      const { world, clinic } = await setUp();
      const { patient } = clinic;
      await book(world, clinic);
      const mend = crashAtRoundTrip(world, nth, when);
      expect((await deleteAccount(world, patient)).status).toBe(503);
      mend();
      const again = await deleteAccount(world, patient);
      expect(again.status).toBe(nth === 2 && when === 'after' ? 401 : 200);
      expect(await world.db.select().from(users).where(eq(users.id, patient.id))).toEqual([]);
      const events = await world.db.select().from(bookingEvents);
      expect(events.filter(({ type }) => type === 'patient.deleted')).toHaveLength(1);
      expect(await findViolations(world.db)).toEqual([]);
    }
  },
);
