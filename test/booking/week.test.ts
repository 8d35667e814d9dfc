import { describe, expect, it } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { act, detail } from '../support/clinic-people.ts';
import { createPeople } from '../support/people.ts';
import { expectWhole, monday, setUp } from '../support/week.ts';
import { type Got, password, registerPatient } from '../support/world.ts';

// A clinic's week, played through the API alone by patients and staff.

const at = (clockTime: string) => Date.parse(`${monday}T${clockTime}:00+07:00`);

const statusesOf = (answers: readonly Got[]) => answers.map(({ status }) => status).sort();

describe("a clinic's week", () => {
  it('two children of one mother get two seats of one slot, and nobody a third', async () => {
    const { world, clinic, ask, book } = await setUp({ capacity: 2 });
    const mother = clinic.patient;
    const children: string[] = [];
    for (const name of ['Anak Pertama', 'Anak Kedua']) {
      const added = await ask(mother, '/v1/family', { name, birth_date: '2019-04-23', relation: 'child' });
      expect(added.status).toBe(201);
      children.push(added.body.data.id);
    }
    const made = await Promise.all(children.map((patient_id) => book(mother, '09:00', { patient_id })));
    expect(statusesOf(made)).toEqual([201, 201]);
    const [first, second] = made.map(({ body }) => body.data.id as string);
    const labels = await Promise.all([first, second].map((id) => detail(world, mother, `${id}`)));
    expect(labels.map(({ queue_label }) => queue_label).sort()).toEqual(['A-01', 'A-02']);
    expect((await book(mother, '09:00')).body).toMatchObject({ code: 'slot_full' });
    expect((await book(mother, '09:00', { patient_id: children[0] })).body.code).toBe('patient_busy');
    expect((await book(clinic.stranger, '09:30', { patient_id: children[0] })).status).toBeGreaterThan(400);

    const { body } = await ask(mother, '/v1/bookings/history?include=detail&when=upcoming');
    const shown = body.data.map(({ patient }: { patient: { id: string } }) => patient.id);
    expect(shown.sort()).toEqual(children.toSorted());
    expect((await act(world, mother, `${first}`, 'cancel')).status).toBe(200);
    expect((await detail(world, mother, `${second}`)).status).toBe('waiting');
    await expectWhole(world);
  });

  it('a walk-in without a record is checked in with two requests', async () => {
    const { world, clinic, ask, book } = await setUp();
    // The slot of 10:00 has begun, and is good until it ends.
    world.clock.now = at('10:10');
    const record = { name: 'Pak Darmo', birth_date: '1960-08-17' };
    const added = await ask(clinic.staff, '/v1/patients', record);
    expect(added.status).toBe(201);
    const patient_id = added.body.data.id;
    const made = await book(clinic.staff, '10:00', { patient_id, check_in: true });
    expect([made.status, made.body.data.status]).toEqual([201, 'approved']);
    expect(await detail(world, clinic.staff, made.body.data.id)).toMatchObject({
      status: 'approved',
      queue_label: 'A-01',
      visit: { status: 'checked_in' },
    });
    const next = await ask(clinic.doctor, `/v1/doctors/${clinic.practice.doctorId}/queue/next`, {});
    expect(next.body.data.id).toBe(made.body.data.id);
    await expectWhole(world);
  });

  it('a patient who comes late after a no-show is taken back, checked in and called', async () => {
    const { world, clinic, book } = await setUp();
    const made = await book(clinic.patient, '09:00');
    const id = made.body.data.id as string;
    const does = async (verb: string, body: object = {}) => {
      const answer = await act(world, clinic.staff, id, verb, { ...body });
      expect([verb, answer.status]).toEqual([verb, 200]);
      return answer.body.data;
    };
    await does('approve');
    world.clock.now = at('09:20');
    const { version } = await does('no-show');
    // She comes when the slot is over.
    world.clock.now = at('09:40');
    expect((await detail(world, clinic.staff, id)).visit.status).toBe('no_show');
    expect(await does('undo', { version })).toMatchObject({ status: 'approved', visit: null });
    expect((await does('check-in')).visit.status).toBe('checked_in');
    expect((await does('call')).visit).toMatchObject({ status: 'called', call_count: 1 });
    const { body } = await world.request('/v1/queues');
    expect(body.data[0].now).toMatchObject({ label: 'A-01', call_count: 1 });
    expect((await does('complete')).visit.status).toBe('completed');
    await expectWhole(world);
  });

  it('two desks that call at once, 200 times, call nobody twice and forget nobody', async () => {
    const { world, clinic, ask, book } = await setUp({ capacity: 25 });
    const waiting = 395;
    const come: { id: string; turn: string }[] = [];
    for (const [nth, { id: patient_id }] of (await createPeople(world, waiting)).entries()) {
      // Not in the order of their slots, and each at a moment of its own.
      world.clock.now += 1000;
      const minutes = 8 * 60 + 30 * ((nth * 7) % 16);
      const time = [Math.floor(minutes / 60), minutes % 60]
        .map((part) => `${part}`.padStart(2, '0'))
        .join(':');
      const made = await book(clinic.staff, time, { patient_id, check_in: true });
      expect(made.status).toBe(201);
      come.push({ id: made.body.data.id, turn: `${time} ${`${nth}`.padStart(3, '0')}` });
    }
    const path = `/v1/doctors/${clinic.practice.doctorId}/queue/next`;
    const called: string[] = [];
    const refused: Got[] = [];
    for (let times = 0; times < 200; times++) {
      const both = await Promise.all([clinic.staff, clinic.doctor].map((desk) => ask(desk, path, {})));
      const ids = both.filter(({ status }) => status === 200).map(({ body }) => body.data.id as string);
      refused.push(...both.filter(({ status }) => status !== 200));
      // Two at once are the next two, whichever desk got which.
      const turnOf = (id: string) => come.find((one) => one.id === id)?.turn ?? '';
      called.push(...ids.sort((a, b) => (turnOf(a) < turnOf(b) ? -1 : 1)));
    }
    const inOrder = come.toSorted((a, b) => (a.turn < b.turn ? -1 : 1)).map(({ id }) => id);
    expect(called).toEqual(inOrder);
    expect(refused.map(({ body }) => body.code)).toEqual(Array(5).fill('queue_empty'));
    const rows = await world.db.select().from(bookings);
    expect(rows.every(({ callCount, version }) => callCount === 1 && version === 2)).toBe(true);
    await expectWhole(world);
  });

  it('a patient with three phones and one family sees and does the same on each', async () => {
    const { world, ask, book } = await setUp({ capacity: 3 });
    const { email, ...first } = await registerPatient(world);
    const logIn = async () => {
      const { status, body } = await ask({ token: '' }, '/v1/auth/login', { email, password });
      expect(status).toBe(200);
      return { token: body.data.access_token as string };
    };
    const phones = [first, await logIn(), await logIn()] as const;
    const [one, two, three] = phones;
    const child = { name: 'Anak Tunggal', birth_date: '2019-04-23', relation: 'child' };
    const patient_id = (await ask(one, '/v1/family', child)).body.data.id as string;
    for (const phone of phones)
      expect((await ask(phone, '/v1/family')).body.data.map(({ id }: { id: string }) => id)).toEqual([
        first.id,
        patient_id,
      ]);

    // All three book for the child at once: one booking, whoever was first.
    const tapped = await Promise.all(phones.map((phone) => book(phone, '09:00', { patient_id })));
    expect(statusesOf(tapped)).toEqual([201, 409, 409]);
    // One app that asks again from another phone gets the answer of the first.
    const headers = { 'Idempotency-Key': 'untuk-ibu' };
    const own = await Promise.all(phones.map((phone) => book(phone, '09:30', {}, headers)));
    expect(statusesOf(own)).toEqual([201, 201, 201]);
    expect(new Set(own.map(({ body }) => JSON.stringify(body))).size).toBe(1);

    const upcoming = async (phone: { token: string }) =>
      (await ask(phone, '/v1/bookings/history?include=detail&when=upcoming')).body;
    const seen = await Promise.all(phones.map(upcoming));
    expect(seen[0].data).toHaveLength(2);
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);

    // Two move and cancel the same booking at once, having seen the same version: one of them wins.
    const [{ id, version }] = seen[0].data;
    const ten = { schedule_date: monday, schedule_time: '10:00:00', version };
    const both = await Promise.all([
      act(world, two, id, 'reschedule', ten),
      act(world, three, id, 'cancel', { version }),
    ]);
    expect(statusesOf(both)).toEqual([200, 409]);
    // The phone that is logged out is out, and the others are not.
    expect((await ask(one, '/v1/auth/logout', {})).status).toBe(200);
    expect((await ask(one, '/v1/family')).status).toBe(401);
    expect(await upcoming(two)).toEqual(await upcoming(three));
    await expectWhole(world);
  });
});
