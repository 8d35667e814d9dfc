import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { securityEvents } from '../../../src/core/tables/accounts.ts';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { replays } from '../../../src/core/tables/idempotency.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { runWaitlist } from '../../../src/modules/booking/waitlist/job.ts';
import { bookingInput } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { allergy, ask } from '../../support/questions.ts';
import { createWorld, type World } from '../../support/world.ts';

const pregnant = { id: 'hamil', type: 'yes_no', label: 'Apakah Anda sedang hamil?' };
const source = {
  id: 'tahu',
  type: 'choice',
  label: 'Dari mana Anda tahu klinik ini?',
  required: true,
  new_patients_only: true,
  options: ['Teman', 'Internet'],
};

const answer = (
  world: World,
  who: { token: string },
  id: string,
  answers: readonly { id: string; value: string }[],
  more: object = {},
) =>
  world.request(`/v1/bookings/${id}/answers`, {
    method: 'PUT',
    token: who.token,
    body: { answers, ...more },
  });

const read = async (world: World, who: { token: string }, id: string) =>
  (await world.request(`/v1/bookings/${id}/answers`, { token: who.token })).body.data;

const setUp = async (questions: readonly object[] = [allergy, pregnant, source]) => {
  const world = await createWorld();
  const clinic = await createClinic(world, { capacity: 3 });
  if (questions.length > 0) await ask(world, clinic, questions);
  return { world, clinic };
};

describe('the questions of a session', () => {
  it('are kept in their order, with what they leave out filled in, and are public', async () => {
    const { world, clinic } = await setUp();
    const whole = [
      { ...allergy, new_patients_only: false, options: [] },
      { ...pregnant, required: false, new_patients_only: false, options: [] },
      source,
    ];
    const path = `/v1/admin/sessions/${clinic.practice.sessionId}`;
    expect((await world.request(path, { token: clinic.staff.token })).body.data.questions).toEqual(whole);
    const listed = (await world.request('/v1/sessions')).body.data;
    expect(listed.find(({ id }: { id: string }) => id === clinic.practice.sessionId).questions).toEqual(
      whole,
    );
    expect(listed.find(({ id }: { id: string }) => id === clinic.others.sessionId).questions).toEqual([]);
  });

  it.each([
    ['two of one id', [allergy, { ...pregnant, id: 'alergi' }], 'questions'],
    ['a choice of one', [{ ...source, options: ['Teman'] }], 'questions.0.options'],
    ['a choice of twins', [{ ...source, options: ['Teman', 'Teman'] }], 'questions.0.options'],
    ['options of a text', [{ ...allergy, options: ['a', 'b'] }], 'questions.0.options'],
    ['a type that there is not', [{ ...allergy, type: 'photo' }], 'questions.0.type'],
    ['a label of two lines', [{ ...allergy, label: 'Satu\nDua' }], 'questions.0.label'],
    ['a label that turns the text around', [{ ...allergy, label: 'Satu\u202EDua' }], 'questions.0.label'],
    ['a label of 201 characters', [{ ...allergy, label: 'a'.repeat(201) }], 'questions.0.label'],
    ['an id with a blank', [{ ...allergy, id: 'alergi obat' }], 'questions.0.id'],
    ['21', Array.from({ length: 21 }, (_, nth) => ({ ...allergy, id: `q${nth}` })), 'questions'],
  ])('are refused: %s', async (_what, questions, field) => {
    const { world, clinic } = await setUp([]);
    const refused = await ask(world, clinic, questions);
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(Object.keys(refused.body.errors)).toEqual([field]);
  });

  it('are the admins’ to change', async () => {
    const { world, clinic } = await setUp([]);
    const path = `/v1/admin/sessions/${clinic.practice.sessionId}`;
    const sent = { method: 'PATCH', token: clinic.staff.token, body: { questions: [allergy] } } as const;
    expect((await world.request(path, sent)).status).toBe(403);
  });
});

describe('a booking whose session asks', () => {
  it('stands without an answer, and says to the patient, desk and doctor what is still to be answered', async () => {
    const { world, clinic } = await setUp();
    const id = await book(world, clinic);
    expect((await detail(world, clinic.patient, id)).to_answer).toBe(2);
    expect(await read(world, clinic.patient, id)).toMatchObject({
      booking_id: id,
      version: 1,
      answers: [],
      to_answer: ['alergi', 'tahu'],
    });
    const list = async (who: { token: string }) =>
      (await world.request('/v1/bookings?date=2026-11-23', { token: who.token })).body.data;
    for (const who of [clinic.staff, clinic.doctor])
      expect(await list(who)).toMatchObject([{ id, to_answer: 2 }]);
    const history = await world.request('/v1/bookings/history?include=detail', {
      token: clinic.patient.token,
    });
    expect(history.body.data).toMatchObject([{ id, to_answer: 2 }]);
    const changes = await world.request('/v1/bookings/changes?after=0', { token: clinic.staff.token });
    expect(changes.body.data).toMatchObject([{ booking: { id, to_answer: 2 } }]);
  });

  it('takes answers with the booking itself', async () => {
    const { world, clinic } = await setUp();
    const id = await book(world, clinic, { answers: [{ id: 'alergi', value: ' Penisilin ' }] });
    const { answers, to_answer } = await read(world, clinic.doctor, id);
    expect(answers).toEqual([
      {
        id: 'alergi',
        type: 'text',
        label: allergy.label,
        value: 'Penisilin',
        answered_at: new Date(world.clock.now).toISOString(),
        by: 'patient',
      },
    ]);
    expect(to_answer).toEqual(['tahu']);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is not made with answers that the questions do not take', async () => {
    const { world, clinic } = await setUp();
    const answers = [
      { id: 'hamil', value: 'mungkin' },
      { id: 'umur', value: '3' },
    ];
    const body = bookingInput(clinic.practice, { answers });
    const refused = await world.request('/v1/bookings', { token: clinic.patient.token, body });
    expect(refused).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(Object.keys(refused.body.errors)).toEqual(['answers.0.value', 'answers.1.id']);
    expect(await world.db.select().from(bookings)).toEqual([]);
  });

  it('is asked by the questions as they are when it is written', async () => {
    const { world, clinic } = await setUp();
    beforeRoundTrip(world, 2, () => ask(world, clinic, [{ ...allergy, type: 'yes_no' }]));
    const body = bookingInput(clinic.practice, { answers: [{ id: 'alergi', value: 'Penisilin' }] });
    const refused = await world.request('/v1/bookings', { token: clinic.patient.token, body });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { 'answers.0.value': expect.anything() } },
    });
  });

  it('is answered later, by the patient, by the family and by the desk', async () => {
    const { world, clinic } = await setUp();
    const child = await world.request('/v1/family', {
      token: clinic.patient.token,
      body: { name: 'Anak', birth_date: '2019-04-23', relation: 'child' },
    });
    const id = await book(world, clinic, { patient_id: child.body.data.id });
    const kept = await answer(world, clinic.patient, id, [
      { id: 'alergi', value: 'Tidak' },
      { id: 'tahu', value: 'Teman' },
    ]);
    expect(kept).toMatchObject({ status: 200, body: { data: { version: 2, to_answer: [] } } });
    world.clock.now += 60_000;
    await answer(world, clinic.staff, id, [
      { id: 'alergi', value: 'Penisilin' },
      { id: 'tahu', value: 'Teman' },
    ]);
    const { answers } = await read(world, clinic.patient, id);
    expect(answers.map(({ value, by }: { value: string; by: string }) => [value, by])).toEqual([
      ['Penisilin', 'clinic'],
      ['Teman', 'patient'],
    ]);
    expect((await detail(world, clinic.patient, id)).to_answer).toBe(0);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('has no questions for anybody else', async () => {
    const { world, clinic } = await setUp();
    const id = await book(world, clinic);
    for (const who of [clinic.stranger, clinic.otherDoctor]) {
      expect((await world.request(`/v1/bookings/${id}/answers`, { token: who.token })).status).toBe(404);
      expect((await answer(world, who, id, [])).status).toBe(404);
    }
  });

  it('keeps an answer with the wording it was given to, also once it is not asked any more', async () => {
    const { world, clinic } = await setUp([allergy]);
    const id = await book(world, clinic);
    await answer(world, clinic.patient, id, [{ id: 'alergi', value: 'Penisilin' }]);
    await ask(world, clinic, [{ ...allergy, label: 'Obat apa yang tidak boleh Anda minum?' }, pregnant]);
    const wordings = async () =>
      (await read(world, clinic.doctor, id)).answers.map(({ label, value }: Record<string, string>) => [
        label,
        value,
      ]);
    expect(await wordings()).toEqual([[allergy.label, 'Penisilin']]);
    await answer(world, clinic.patient, id, [
      { id: 'alergi', value: 'Penisilin' },
      { id: 'hamil', value: 'no' },
    ]);
    expect(await wordings()).toEqual([
      [allergy.label, 'Penisilin'],
      [pregnant.label, 'no'],
    ]);
    await ask(world, clinic, [pregnant]);
    await answer(world, clinic.patient, id, [{ id: 'hamil', value: 'yes' }]);
    expect(await wordings()).toEqual([
      [allergy.label, 'Penisilin'],
      [pregnant.label, 'yes'],
    ]);
  });

  it('counts an answer no more once its question asks for something else', async () => {
    const { world, clinic } = await setUp([allergy]);
    const id = await book(world, clinic);
    await answer(world, clinic.patient, id, [{ id: 'alergi', value: 'Penisilin' }]);
    await ask(world, clinic, [{ ...allergy, type: 'yes_no', label: 'Alergi obat?' }]);
    expect((await detail(world, clinic.staff, id)).to_answer).toBe(1);
    const { body } = await answer(world, clinic.patient, id, [{ id: 'alergi', value: 'yes' }]);
    expect(body.data.answers).toMatchObject([{ label: 'Alergi obat?', value: 'yes' }]);
  });

  it('asks a question for new patients no more of one who has come before', async () => {
    const { world, clinic } = await setUp([source]);
    const first = await book(world, clinic);
    const second = await book(world, clinic, { schedule_date: '2026-11-30' });
    expect((await detail(world, clinic.patient, second)).to_answer).toBe(1);
    await act(world, clinic.staff, first, 'check-in');
    expect((await detail(world, clinic.patient, second)).to_answer).toBe(0);
    expect(await read(world, clinic.patient, second)).toMatchObject({ questions: [], to_answer: [] });
    // The visit itself is the first one.
    expect(await read(world, clinic.patient, first)).toMatchObject({ to_answer: ['tahu'] });
  });

  it('keeps what was answered as a new patient, once the form does not ask it any more', async () => {
    const { world, clinic } = await setUp([allergy, source]);
    const first = await book(world, clinic);
    const second = await book(world, clinic, { schedule_date: '2026-11-30' });
    await answer(world, clinic.patient, second, [{ id: 'tahu', value: 'Teman' }]);
    await act(world, clinic.staff, first, 'check-in');
    const { questions } = await read(world, clinic.patient, second);
    expect(questions).toMatchObject([{ id: 'alergi' }]);
    await answer(world, clinic.patient, second, [{ id: 'alergi', value: 'Penisilin' }]);
    expect((await read(world, clinic.patient, second)).answers).toMatchObject([
      { id: 'tahu', value: 'Teman' },
      { id: 'alergi', value: 'Penisilin' },
    ]);
    // Whoever names it may still take it back.
    await answer(world, clinic.patient, second, [{ id: 'tahu', value: '' }]);
    expect((await read(world, clinic.patient, second)).answers).toEqual([]);
  });

  it('takes the questions of the session that it is moved to', async () => {
    const { world, clinic } = await setUp([allergy]);
    await ask(world, clinic, [source], clinic.others.sessionId);
    const id = await book(world, clinic);
    await answer(world, clinic.patient, id, [{ id: 'alergi', value: 'Penisilin' }]);
    const there = { doctor_id: clinic.others.doctorId, session_id: clinic.others.sessionId };
    await act(world, clinic.patient, id, 'reschedule', {
      ...there,
      schedule_date: '2026-11-24',
      schedule_time: '09:00:00',
    });
    expect(await read(world, clinic.patient, id)).toMatchObject({
      questions: [{ id: 'tahu' }],
      answers: [{ id: 'alergi', value: 'Penisilin' }],
      to_answer: ['tahu'],
    });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('is answered until the visit is over by the patient, and always by the clinic', async () => {
    const { world, clinic } = await setUp([allergy]);
    const id = await book(world, clinic);
    await act(world, clinic.staff, id, 'cancel');
    const given = [{ id: 'alergi', value: 'Penisilin' }];
    expect(await answer(world, clinic.patient, id, given)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', booking_status: 'canceled' },
    });
    expect((await answer(world, clinic.staff, id, given)).status).toBe(200);
  });

  it('refuses answers to a version or to questions that are not the present ones', async () => {
    const { world, clinic } = await setUp([allergy]);
    const id = await book(world, clinic);
    const { questions_version } = await read(world, clinic.patient, id);
    await ask(world, clinic, [{ ...allergy, label: 'Alergi makanan?' }]);
    const given = [{ id: 'alergi', value: 'Tidak' }];
    expect((await answer(world, clinic.patient, id, given, { questions_version })).body.code).toBe(
      'questions_changed',
    );
    expect((await answer(world, clinic.patient, id, given, { version: 7 })).body.code).toBe(
      'version_mismatch',
    );
    expect((await read(world, clinic.patient, id)).answers).toEqual([]);
  });

  it('keeps no answer to a wording that changed between reading and writing', async () => {
    const { world, clinic } = await setUp([allergy]);
    const id = await book(world, clinic);
    const { questions_version } = await read(world, clinic.patient, id);
    const given = [{ id: 'alergi', value: 'Tidak' }];
    beforeRoundTrip(world, 2, () => ask(world, clinic, [{ ...allergy, label: 'Alergi makanan?' }]));
    const refused = await answer(world, clinic.patient, id, given, { questions_version });
    expect(refused).toMatchObject({ status: 409, body: { code: 'questions_changed' } });
    expect((await read(world, clinic.patient, id)).answers).toEqual([]);
  });

  it('loses no answer of two who answer at once, nor the change of another', async () => {
    const { world, clinic } = await setUp([allergy]);
    const id = await book(world, clinic);
    beforeRoundTrip(world, 2, () => act(world, clinic.staff, id, 'approve'));
    const kept = await answer(world, clinic.patient, id, [{ id: 'alergi', value: 'Tidak' }]);
    expect(kept).toMatchObject({ status: 200, body: { data: { version: 3 } } });
    expect(await detail(world, clinic.patient, id)).toMatchObject({ status: 'approved', to_answer: 0 });
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('changes nothing by the same answers again', async () => {
    const { world, clinic } = await setUp([allergy]);
    const id = await book(world, clinic);
    const given = [{ id: 'alergi', value: 'Tidak' }];
    for (let times = 0; times < 2; times++)
      expect((await answer(world, clinic.patient, id, given)).body.data.version).toBe(2);
    expect((await world.db.select().from(bookingEvents)).map(({ type }) => type)).toEqual([
      'booking.created',
      'booking.answered',
    ]);
  });

  it('is asked of those who are coming when a session begins to ask', async () => {
    const { world, clinic } = await setUp([]);
    const coming = await book(world, clinic);
    const gone = await book(world, clinic, { schedule_date: '2026-11-24' });
    await act(world, clinic.patient, gone, 'cancel');
    expect((await detail(world, clinic.patient, coming)).to_answer).toBeNull();
    await ask(world, clinic, [allergy]);
    expect((await detail(world, clinic.patient, coming)).to_answer).toBe(1);
    expect((await detail(world, clinic.patient, gone)).to_answer).toBeNull();
  });

  it('is asked of a series, and of an offer of the waitlist, too', async () => {
    const { world, clinic } = await setUp([allergy]);
    const body = bookingInput(clinic.practice, { schedule_date: '2026-11-30', count: 2, every_days: 7 });
    await world.request('/v1/bookings/series', { token: clinic.patient.token, body });
    const wish = { session_id: clinic.practice.sessionId, from: '2026-11-24', to: '2026-11-24' };
    await world.request('/v1/waitlist', { token: clinic.stranger.token, body: wish });
    await runWaitlist(world.deps, world.clock.now);
    const rows = await world.db
      .select({ answers: bookings.answers, offer: bookings.waitlistId })
      .from(bookings);
    expect(rows.map(({ answers }) => answers)).toEqual(['[]', '[]', '[]']);
    expect(rows.filter(({ offer }) => offer !== null)).toHaveLength(1);
  });
});

describe('an answer', () => {
  const secret = 'Rahasia-4711';
  const given = [{ id: 'alergi', value: secret }];

  it('is in no event, no list, no stored response and no line of the audit', async () => {
    const { world, clinic } = await setUp([allergy]);
    const body = bookingInput(clinic.practice, { answers: given });
    const headers = { 'Idempotency-Key': 'satu' };
    const made = await world.request('/v1/bookings', { token: clinic.patient.token, body, headers });
    const { id } = made.body.data;
    await answer(world, clinic.staff, id, [{ id: 'alergi', value: `${secret} juga` }]);
    await read(world, clinic.doctor, id);
    const { token } = clinic.staff;
    const shown = await Promise.all(
      ['?date=2026-11-23', '/changes?after=0', `/${id}`, `/${id}/events`].map((path) =>
        world.request(`/v1/bookings${path}`, { token }),
      ),
    );
    const stored = [
      await world.db.select().from(bookingEvents),
      await world.db.select().from(replays),
      await world.db.select().from(securityEvents),
    ];
    expect(JSON.stringify([made.body, shown.map((one) => one.body), stored])).not.toContain(secret);
  });

  it('that the clinic reads leaves a line that says who read whose', async () => {
    const { world, clinic } = await setUp([allergy]);
    const id = await book(world, clinic, { answers: given });
    await read(world, clinic.doctor, id);
    await read(world, clinic.patient, id);
    const lines = await world.db.select().from(securityEvents).where(eq(securityEvents.type, 'record_read'));
    expect(lines).toMatchObject([
      {
        actorId: clinic.doctor.id,
        patientId: clinic.patient.id,
        route: 'GET /v1/bookings/{id}/answers',
      },
    ]);
  });

  it('is in the export of its person and of the clinic, and gone with the person', async () => {
    const { world, clinic } = await setUp([allergy]);
    const id = await book(world, clinic, { answers: given });
    const exported = await world.request('/v1/auth/export', { method: 'POST', token: clinic.patient.token });
    expect(exported.body.data.bookings).toMatchObject([
      { id, answers: [{ label: allergy.label, value: secret }] },
    ]);
    const all = await world.app.request('http://localhost/v1/export/bookings', {
      headers: { Authorization: `Bearer ${clinic.admin.token}` },
    });
    expect(JSON.parse((await all.text()).trim()).answers).toMatchObject([{ value: secret }]);
    await world.request('/v1/auth/account', { method: 'DELETE', token: clinic.patient.token });
    const [left] = await world.db.select().from(bookings).where(eq(bookings.id, id));
    expect(left).toMatchObject({ status: 'canceled', answers: null });
  });
});
