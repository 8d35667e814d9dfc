import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { schedules } from '../../src/core/tables/catalog.ts';
import { patients } from '../../src/core/tables/patients.ts';
import { act, book } from '../support/clinic-people.ts';
import { createExchanging, type Exchanging } from '../support/exchanging.ts';

const minute = 60_000;

const bySteps = async ({ world, clinic }: Exchanging, id: string, ...verbs: string[]) => {
  for (const verb of verbs) {
    const { status, body } = await act(world, clinic.staff, id, verb);
    if (status !== 200) throw new Error(`${verb}: ${JSON.stringify(body)}`);
  }
};

const steps = async ({ rows }: Exchanging) => (await rows()).map(({ target, step }) => `${target} ${step}`);

describe('the outbox of exchanges', () => {
  it('reports a whole visit to both: the booking, the arrival, the call and the end', async () => {
    const here = await createExchanging({ SATUSEHAT_FINISH: 'on' });
    const { world, clinic, bpjs, satusehat, send, find } = here;
    const id = await book(world, clinic);
    await bySteps(here, id, 'approve');
    expect(await steps(here)).toEqual(['bpjs add']);
    await bySteps(here, id, 'check-in', 'call', 'complete');
    await send();
    const { bookingCode, exchangeCode, encounterId, checkedInAt } = await find(id);
    expect(exchangeCode).toBe(bookingCode);
    const queue = bpjs.queues.get(bookingCode);
    // The three happened in one millisecond, and are told one after another.
    expect(queue?.tasks).toEqual([3, 4, 5].map((task, at) => [task, (checkedInAt ?? 0) + at]));
    expect(queue?.add).toMatchObject({ kodepoli: 'ANA', kodedokter: 12_346, jampraktek: '08:00-16:00' });
    const encounter = satusehat.encounters.get(encounterId ?? '');
    expect(encounter?.status).toBe('finished');
    expect(encounter?.statusHistory.map(({ status }) => status)).toEqual([
      'arrived',
      'in-progress',
      'finished',
    ]);
    expect([await steps(here), bpjs.wrongs, satusehat.wrongs]).toEqual([[], [], []]);
  });

  it('what is planned while BPJS is down leaves in order afterwards', async () => {
    const here = await createExchanging({ SATUSEHAT: 'off' });
    const { world, clinic, bpjs, send, find } = here;
    bpjs.fault = () => 'html';
    const id = await book(world, clinic);
    await bySteps(here, id, 'approve', 'check-in');
    await send();
    await bySteps(here, id, 'call');
    await send(5 * minute);
    expect(await steps(here)).toEqual(['bpjs add', 'bpjs arrive', 'bpjs call']);
    bpjs.fault = () => null;
    await send(30 * minute);
    expect(bpjs.queues.get((await find(id)).bookingCode)?.tasks.map(([task]) => task)).toEqual([3, 4]);
    expect(await steps(here)).toEqual([]);
  });

  it('a parked step blocks those after it of its booking, and no other booking', async () => {
    const here = await createExchanging({ SATUSEHAT: 'off' });
    const { world, clinic, bpjs, send, rows } = here;
    const [id, other] = [await book(world, clinic), await book(world, clinic, { schedule_time: '10:00:00' })];
    bpjs.fault = (_, { estimasidilayani }) =>
      estimasidilayani === Date.parse('2026-11-23T09:00:00+07:00') ? 'referral' : null;
    await bySteps(here, id, 'approve', 'check-in');
    await bySteps(here, other, 'approve', 'check-in');
    await send();
    expect((await rows()).map(({ step, state, reason }) => [step, state, reason])).toEqual([
      ['add', 'parked', 'referral'],
      ['arrive', 'waiting', null],
    ]);
    expect(bpjs.queues.size).toBe(1);
    await send(60 * minute);
    expect((await rows())[1]?.attempts).toBe(0);
  });

  it('a move cancels the code at BPJS and adds another; a cancellation cancels that one', async () => {
    const here = await createExchanging({ SATUSEHAT: 'off' });
    const { world, clinic, bpjs, send, find } = here;
    const id = await book(world, clinic);
    await bySteps(here, id, 'approve');
    await send();
    for (const schedule_time of ['10:00:00', '11:00:00'])
      await act(world, clinic.staff, id, 'reschedule', { schedule_date: '2026-11-23', schedule_time });
    await send();
    const { bookingCode, exchangeCode } = await find(id);
    expect(exchangeCode).toBe(`${bookingCode}-3`);
    await bySteps(here, id, 'cancel');
    await send();
    expect([...bpjs.queues].map(([code, { canceled }]) => [code, canceled])).toEqual([
      [bookingCode, true],
      [`${bookingCode}-2`, true],
      [`${bookingCode}-3`, true],
    ]);
  });

  it('a lost answer changes nothing: BPJS knows the step, and the Encounter is found', async () => {
    const here = await createExchanging();
    const { world, clinic, bpjs, satusehat, send, find, rows } = here;
    const asked = new Set<string>();
    const firstIsLost = (what: string) => {
      const isFirst = !asked.has(what);
      asked.add(what);
      return isFirst ? ('lost' as const) : null;
    };
    bpjs.fault = (path, { taskid }) => firstIsLost(`${path} ${taskid}`);
    satusehat.fault = (method, path) => (method === 'GET' ? null : firstIsLost(path));
    const id = await book(world, clinic);
    await bySteps(here, id, 'approve', 'check-in', 'call');
    for (let runs = 0; runs < 12; runs++) await send(2 * minute);
    expect(await rows()).toEqual([]);
    expect(bpjs.queues.get((await find(id)).bookingCode)?.tasks.map(([task]) => task)).toEqual([3, 4]);
    expect([...satusehat.encounters.values()].map(({ status }) => status)).toEqual(['in-progress']);
    expect([bpjs.wrongs, satusehat.wrongs]).toEqual([[], []]);
  });

  it('a lost answer after which SATUSEHAT rests is searched for too, so there is no second Encounter', async () => {
    const here = await createExchanging();
    const { world, clinic, satusehat, send, find, rows } = here;
    // As many attempts of other visits had no answer that one more lets the target rest.
    world.deps.rests.set('satusehat', { until: 0, silent: 9, rests: 0 });
    let lost = 0;
    satusehat.fault = (method, path) =>
      method === 'POST' && path === 'Encounter' && lost++ === 0 ? 'lost' : null;
    const id = await book(world, clinic);
    await bySteps(here, id, 'approve', 'check-in');
    await send();
    expect(world.deps.rests.get('satusehat')?.until).toBeGreaterThan(world.clock.now);
    for (let runs = 0; runs < 4; runs++) await send(20 * minute);
    expect([await rows(), satusehat.wrongs, [...satusehat.encounters.keys()]]).toEqual([
      [],
      [],
      [(await find(id)).encounterId],
    ]);
  });

  it('reports a phone number as it is dialled in Indonesia, however it was typed', async () => {
    const here = await createExchanging({ SATUSEHAT: 'off' });
    const { world, clinic, bpjs, send, find } = here;
    const told: unknown[] = [];
    for (const [phoneCountryCode, phoneNumber] of [
      ['62', '81234567890'],
      ['62', '081234567890'],
      ['65', '91234567'],
    ] as const) {
      await world.db.update(patients).set({ phoneCountryCode, phoneNumber });
      const id = await book(world, clinic);
      await bySteps(here, id, 'approve');
      await send();
      told.push(bpjs.queues.get((await find(id)).bookingCode)?.add.nohp);
      await bySteps(here, id, 'cancel');
    }
    expect(told).toEqual(['081234567890', '081234567890', '6591234567']);
  });

  it('reports the hours that hold on the day of the visit, beside those that hold before and after it', async () => {
    const here = await createExchanging({ SATUSEHAT: 'off' });
    const { world, clinic, bpjs, send, find } = here;
    const { doctorId, sessionId } = clinic.practice;
    const own = { doctorId, sessionId, weekday: 1, startTime: '08:00:00', slotMinutes: 30, capacity: 1 };
    for (const other of [
      { validUntil: '2026-11-16', endTime: '12:00:00' },
      { validFrom: '2026-11-30', endTime: '20:00:00' },
    ])
      await world.db
        .insert(schedules)
        .values({ ...own, ...other, id: world.deps.newId(), createdAt: 1, updatedAt: 1 });
    await world.db
      .update(schedules)
      .set({ validFrom: '2026-11-17' })
      .where(eq(schedules.endTime, '16:00:00'));
    const id = await book(world, clinic);
    await bySteps(here, id, 'approve');
    await send();
    expect(bpjs.queues.get((await find(id)).bookingCode)?.add).toMatchObject({ jampraktek: '08:00-16:00' });
  });

  it('a refused signature makes BPJS rest, and says nothing of the step', async () => {
    const here = await createExchanging({ SATUSEHAT: 'off' });
    const { world, clinic, bpjs, send, rows, logged } = here;
    bpjs.fault = () => 'signature';
    const id = await book(world, clinic);
    await bySteps(here, id, 'approve');
    await send();
    await send(minute);
    expect(bpjs.calls).toHaveLength(1);
    expect((await rows())[0]).toMatchObject({ state: 'waiting', attempts: 0, reason: 'signature' });
    expect(logged.some((line) => line.includes('exchange refused'))).toBe(true);
    bpjs.fault = () => null;
    await send(15 * minute);
    expect(await rows()).toEqual([]);
  });

  it('after a day without an answer a step is parked; a queue time of another day is dropped', async () => {
    const here = await createExchanging();
    const { world, clinic, bpjs, satusehat, send, rows, logged } = here;
    bpjs.fault = () => '500';
    satusehat.fault = (_, path) => (path === 'accesstoken' ? null : 'html');
    const id = await book(world, clinic);
    await bySteps(here, id, 'approve', 'check-in');
    for (let hours = 0; hours < 30; hours++) await send(60 * minute);
    expect((await rows()).map(({ target, state, reason }) => [target, state, reason])).toEqual([
      ['satusehat', 'parked', 'no_answer'],
    ]);
    expect(logged.filter((line) => line.includes('exchange dropped'))).toHaveLength(2);
  });

  it('a fault that BPJS names within an answer is tried for a day, and then parked with its words', async () => {
    const here = await createExchanging({ SATUSEHAT: 'off' });
    const { world, clinic, bpjs, send, rows } = here;
    bpjs.fault = () => 'fault';
    await bySteps(here, await book(world, clinic, { schedule_date: '2026-11-26' }), 'approve');
    await send();
    expect((await rows())[0]).toMatchObject({ state: 'waiting', answer: 'Object reference not set' });
    for (let hours = 0; hours < 25; hours++) await send(60 * minute);
    expect((await rows())[0]).toMatchObject({
      state: 'parked',
      reason: 'no_answer',
      answer: 'Object reference not set',
    });
  });

  it('no patient data goes into the log', async () => {
    const here = await createExchanging();
    const { world, clinic, bpjs, satusehat, send, logged } = here;
    bpjs.fault = () => 'referral';
    satusehat.people.clear();
    await bySteps(here, await book(world, clinic), 'approve', 'check-in');
    await send();
    expect(logged).toHaveLength(2);
    const secrets = ['3171012345670001', '0001234567890', 'rahasia', 'kunci-antrean', 'Pasien'];
    expect(secrets.filter((text) => logged.join('').includes(text))).toEqual([]);
  });
});

describe('SATUSEHAT', () => {
  it('looks a person up once a day, parks the visit with the reason, and asks again for new numbers', async () => {
    const here = await createExchanging({ SATUSEHAT: 'on', BPJS: '', BPJS_URL: '' });
    const { world, clinic, satusehat, send, rows, find } = here;
    satusehat.people.clear();
    const lookups = () => satusehat.calls.filter((call) => call.startsWith('GET Patient')).length;
    const ids = [await book(world, clinic), await book(world, clinic, { schedule_time: '10:00:00' })];
    for (const id of ids) {
      await bySteps(here, id, 'approve', 'check-in');
      await send();
    }
    expect((await rows()).map(({ state, reason }) => [state, reason])).toEqual([
      ['parked', 'no_patient_ihs'],
      ['parked', 'no_patient_ihs'],
    ]);
    expect(lookups()).toBe(1);
    expect((await find(ids[0] ?? '')).encounterId).toBeNull();
  });

  it('has an Encounter with our number already: that one is taken', async () => {
    const here = await createExchanging({ BPJS: '', BPJS_URL: '' });
    const { world, clinic, satusehat, send, rows, find } = here;
    const id = await book(world, clinic);
    await bySteps(here, id, 'approve', 'check-in');
    const { bookingCode: value } = await find(id);
    const period = { start: '2026-11-23T02:00:00+00:00' };
    satusehat.encounters.set('enc-9', {
      ...{ id: 'enc-9', status: 'planned', statusHistory: [], period },
      ...{ identifier: [{ system: '', value }], subject: { reference: 'Patient/P02478375538' } },
    });
    await send();
    expect((await rows())[0]).toMatchObject({ state: 'waiting', reason: 'refused' });
    await send(minute);
    await bySteps(here, id, 'call');
    await send();
    expect([await rows(), (await find(id)).encounterId]).toEqual([[], 'enc-9']);
    expect([...satusehat.encounters.values()].map(({ status }) => status)).toEqual(['in-progress']);
  });

  it('keeps one token for all, renews it five minutes early, and once when it is refused', async () => {
    const here = await createExchanging({ BPJS: '', BPJS_URL: '' });
    const { world, clinic, satusehat, send, rows } = here;
    const come = async (schedule_time: string) => {
      await bySteps(here, await book(world, clinic, { schedule_time }), 'approve', 'check-in');
      await send();
    };
    await come('09:00:00');
    await come('10:00:00');
    expect(satusehat.given()).toBe(1);
    world.clock.now += 56 * minute;
    await come('11:00:00');
    expect(satusehat.given()).toBe(2);
    satusehat.forgetTokens();
    await come('12:00:00');
    expect(satusehat.given()).toBe(3);
    expect([await rows(), satusehat.wrongs, satusehat.encounters.size]).toEqual([[], [], 4]);
    const [patient] = await world.db.select().from(patients).where(eq(patients.id, clinic.patient.id));
    expect(patient?.ihsId).toBe('P02478375538');
  });

  it('asks for a token once a minute where it is refused', async () => {
    const here = await createExchanging({ BPJS: '', BPJS_URL: '' });
    const { world, clinic, satusehat, send, rows } = here;
    satusehat.fault = (_, path) => (path === 'accesstoken' ? '500' : null);
    await bySteps(here, await book(world, clinic), 'approve', 'check-in');
    for (let seconds = 0; seconds < 150; seconds += 20) await send(20_000);
    expect(satusehat.calls).toHaveLength(3);
    satusehat.fault = () => null;
    await send(minute);
    expect([await rows(), satusehat.wrongs]).toEqual([[], []]);
  });
});
