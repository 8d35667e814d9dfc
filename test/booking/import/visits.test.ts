import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../../src/core/tables/bookings.ts';
import { notices } from '../../../src/core/tables/mail.ts';
import { bookingEvents } from '../../../src/core/tables/webhooks.ts';
import { runJobs } from '../../../src/jobs/jobs.ts';
import { allowedActions } from '../../../src/modules/booking/record/rules.ts';
import { deliverWebhooks } from '../../../src/modules/webhooks/delivery/deliver.ts';
import { bookingInput } from '../../support/clinic.ts';
import { beforeRoundTrip } from '../../support/interleave.ts';
import { findViolations } from '../../support/invariants.ts';
import { setUpPastVisits } from '../../support/past-visits.ts';
import { createEndpoint, createReceiver } from '../../support/receiver.ts';

describe('an import of past visits', () => {
  it('shows them in the history of their patients, marked as imported, over, and without a number', async () => {
    const { outcomes, history, visit, world } = await setUpPastVisits();
    const rows = [
      visit,
      {
        ...visit,
        row: 3,
        date: '2024-03-06',
        time: '9.15',
        end_time: '9.45',
        status: 'Tidak hadir',
        external_id: 'K2',
      },
      { ...visit, row: 4, date: '7 Mar 2024', status: 'BATAL', canceled_by: 'Pasien', external_id: 'K3' },
    ];
    expect(await outcomes(rows)).toEqual(['created', 'created', 'created']);
    const seen = await history();
    expect(seen).toMatchObject([
      {
        schedule_date: '2024-03-07',
        schedule_time: '00:00:00',
        status: 'canceled',
        channel: 'imported',
        cancellation: { by: 'patient', reason_code: 'canceled', reason: null },
        visit: null,
      },
      {
        schedule_date: '2024-03-06',
        schedule_time: '09:15:00',
        ends_at: '2024-03-06T02:45:00.000Z',
        visit: { status: 'no_show', checked_in_at: null },
      },
      {
        schedule_date: '2024-03-05',
        schedule_time: '09:30:00',
        starts_at: '2024-03-05T02:30:00.000Z',
        status: 'approved',
        channel: 'imported',
        queue_number: 0,
        queue_label: '',
        allowed_actions: [],
        staff_notes: 'Kontrol',
        visit: { status: 'completed', checked_in_at: null },
      },
    ]);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('twice changes nothing, by their ids in the source, or by patient, doctor and start without one', async () => {
    const { outcomes, history, visit } = await setUpPastVisits();
    const bare = { ...visit, row: 3, external_id: undefined, date: '2024-04-01', time: '10:00' };
    expect(await outcomes([visit, bare])).toEqual(['created', 'created']);
    expect(await outcomes([visit, bare])).toEqual(['unchanged', 'unchanged']);
    // Another end, or another day of the same id: what is there stays.
    const changed = [
      { ...visit, status: 'batal' },
      { ...visit, row: 3, date: '2024-09-09' },
    ];
    expect(await outcomes(changed)).toEqual(['skipped', 'skipped']);
    // The same id of another source is another visit; at the same place it is the same.
    expect(await outcomes([visit], { source: 'lain' })).toEqual(['refused']);
    expect(await history()).toHaveLength(2);
  });

  it('without ids, which a database writes as NULL, are two visits', async () => {
    const { outcomes, visit } = await setUpPastVisits();
    const rows = [
      { ...visit, external_id: 'NULL', date: '2024-05-01' },
      { ...visit, row: 3, external_id: 'NULL', date: '2024-05-02', time: 'null' },
    ];
    expect(await outcomes(rows)).toEqual(['created', 'created']);
  });

  it('tells nobody: no event, no notice, no number of a queue', async () => {
    const { world, outcomes, visit } = await setUpPastVisits();
    const count = async (table: typeof bookingEvents | typeof notices) =>
      (await world.db.select({ n: sql<number>`count(*)`.as('n') }).from(table))[0]?.n;
    const before = [await count(bookingEvents), await count(notices)];
    await outcomes([visit]);
    expect([await count(bookingEvents), await count(notices)]).toEqual(before);
  });

  it('writes an event for each that it makes where the import asks for events, which receivers are sent, once', async () => {
    const { world, ask, outcomes, visit, siti } = await setUpPastVisits();
    const receiver = createReceiver(world);
    receiver.secret = (await createEndpoint(world)).secret;
    await deliverWebhooks(world.deps);
    receiver.received.splice(0);
    const noticed = (await world.db.select().from(notices)).length;
    const rows = [visit, { ...visit, row: 3, date: '2024-03-06', status: 'batal', external_id: 'K2' }];
    expect(await outcomes(rows.slice(0, 1))).toEqual(['created']);
    await deliverWebhooks(world.deps);
    expect(receiver.received).toEqual([]);
    expect(await outcomes(rows, { events: true })).toEqual(['unchanged', 'created']);
    expect(await outcomes(rows, { events: true })).toEqual(['unchanged', 'unchanged']);
    expect(
      await outcomes([{ ...visit, row: 4, external_id: 'K4' }], { events: true, dry_run: true }),
    ).toEqual(['unchanged']);
    await runJobs(world.deps);
    await deliverWebhooks(world.deps);
    const told = receiver.received.map(({ body }) => JSON.parse(body));
    expect(told).toMatchObject([
      {
        type: 'booking.created',
        data: {
          patient_id: siti,
          schedule_date: '2024-03-06',
          status: 'canceled',
          channel: 'imported',
          queue_number: 0,
          version: 1,
        },
      },
    ]);
    expect((await world.db.select().from(notices)).length).toBe(noticed);
    expect(await findViolations(world.db)).toEqual([]);
    expect((await ask('', { kind: 'patients', events: true })).body.errors).toHaveProperty('events');
  });

  it('may overlap: two visits of a patient, and two patients of a doctor, at the same time of a day', async () => {
    const { world, outcomes, visit, history, clinic } = await setUpPastVisits();
    const rows = [
      visit,
      { ...visit, row: 3, doctor: clinic.others.doctorId, external_id: 'K2' },
      { ...visit, row: 4, patient_external_id: '18', external_id: 'K3' },
    ];
    expect(await outcomes(rows)).toEqual(['created', 'created', 'created']);
    expect(await history()).toHaveLength(2);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('counts them in the statistics of their day, but not in how long people wait', async () => {
    const { outcomes, read, visit } = await setUpPastVisits();
    await outcomes([
      visit,
      { ...visit, row: 3, date: '2024-03-05 11:00', status: 'no show', external_id: 'K2' },
    ]);
    const { meta } = await read('/v1/admin/statistics?from=2024-03-01&to=2024-03-31');
    expect(meta.total).toMatchObject({ completed: 1, no_shows: 1, lead_minutes_median: null });
  });

  it('refuses a row in words, and takes the others', async () => {
    const { step, visit, clinic, world } = await setUpPastVisits({ RETENTION_YEARS: '5' });
    const today = world.deps.clinicTime.dateOf(world.clock.now);
    const wrong = await step([
      { ...visit, row: 2, doctor: 'dr. Tidak Ada' },
      { ...visit, row: 3, session: clinic.practice.doctorId },
      { ...visit, row: 4, patient_external_id: '99' },
      { ...visit, row: 5, patient_external_id: '18', medical_record_number: 'L-17' },
      { ...visit, row: 6, date: today },
      { ...visit, row: 7, date: '2019-01-01' },
      { ...visit, row: 8, status: 'entah' },
      { ...visit, row: 9, date: '2024-03-05', time: '25:00' },
      { ...visit, row: 10, date: '2024-03-05', time: '10:00', end_time: '09:00' },
      { row: 11 },
      { ...visit, row: 12, patient_external_id: undefined, medical_record_number: 'L-17' },
    ]);
    expect(wrong.map(({ problems }) => problems.map(({ field, rule }) => `${field} ${rule}`).join())).toEqual(
      [
        'doctor not_found',
        'session not_found',
        'patient_external_id not_found',
        'medical_record_number other_patient',
        'date past_only',
        'date past_retention',
        'status past_visit_typed',
        'time time_typed',
        'end_time order',
        'doctor required,session required,date required,status required,patient_external_id any_of',
        '',
      ],
    );
    expect(wrong.at(-1)?.outcome).toBe('created');
  });

  it('never guesses which of two doctors of one name is meant, and knows one by the name without titles', async () => {
    const { world, step, outcomes, visit, clinic, read } = await setUpPastVisits();
    const { token } = clinic.admin;
    const add = (title: string) =>
      world.request('/v1/admin/doctors', { token, body: { name: 'Sri Wahyuni', title, specialty: 'Anak' } });
    await add('dr.');
    expect(await outcomes([{ ...visit, doctor: 'SRI WAHYUNI, Sp.A' }])).toEqual(['created']);
    expect((await read('/v1/bookings?date=2024-03-05')).data).toMatchObject([
      { doctor_name: 'dr. Sri Wahyuni' },
    ]);
    await add('drg.');
    const [twin] = await step([{ ...visit, doctor: 'Sri Wahyuni', external_id: 'K9' }]);
    expect(twin?.problems).toMatchObject([{ field: 'doctor', rule: 'several_found' }]);
    expect(await outcomes([{ ...visit, doctor: 'drg. Sri Wahyuni', external_id: 'K9' }])).toEqual([
      'created',
    ]);
  });

  it('writes nothing in a dry run', async () => {
    const { outcomes, history, visit } = await setUpPastVisits();
    expect(await outcomes([visit], { dry_run: true })).toEqual(['created']);
    expect(await history()).toEqual([]);
  });

  it('takes a step once, and no rows of the other kind', async () => {
    const { ask, begin, visit, world } = await setUpPastVisits();
    const id = await begin({ kind: 'visits' });
    const rows = { after_row: 0, rows: [visit] };
    expect((await ask(`/${id}/visits`, rows)).status).toBe(200);
    expect(await ask(`/${id}/visits`, rows)).toMatchObject({
      status: 409,
      body: { code: 'import_moved_on', last_row: 2 },
    });
    const other = await ask(`/${id}/rows`, { after_row: 2, rows: [] });
    expect(other).toMatchObject({ status: 409, body: { code: 'import_of_other_kind' } });
    const patients = await begin();
    expect((await ask(`/${patients}/visits`, rows)).body.code).toBe('import_of_other_kind');
    expect((await ask('', { kind: 'visits', on_duplicate: 'update' })).status).toBe(422);
    expect(await findViolations(world.db)).toEqual([]);
  });

  it('decides again where a patient was merged meanwhile: the visit is of the record that stands', async () => {
    const { world, clinic, outcomes, visit, history, siti, darmo } = await setUpPastVisits();
    const { token } = clinic.admin;
    const merge = () => world.request(`/v1/patients/${siti}/merge`, { token, body: { into: darmo } });
    beforeRoundTrip(world, 3, async () => {
      await merge();
    });
    const seen = await outcomes([visit]);
    expect(seen).toEqual(['created']);
    expect(await history(darmo)).toHaveLength(1);
  });

  it('makes no missed visit of another system ask for approval, and a completed one its patient a known one', async () => {
    const { world, clinic, outcomes, visit } = await setUpPastVisits();
    const { token } = clinic.admin;
    const change = (own: string, body: object) => world.request(own, { method: 'PATCH', token, body });
    const limits = { approval: 'automatic', open_to: 'known' };
    expect((await change('/v1/admin/clinic', { approval_after_no_shows: 1 })).status).toBe(200);
    expect((await change(`/v1/admin/sessions/${clinic.practice.sessionId}`, limits)).status).toBe(200);
    expect((await change(`/v1/patients/${clinic.patient.id}`, { medical_record_number: 'L-1' })).status).toBe(
      200,
    );
    const input = { token: clinic.patient.token, body: bookingInput(clinic.practice) };
    expect((await world.request('/v1/bookings', input)).body.code).toBe('slot_unavailable');
    const own = { ...visit, patient_external_id: undefined, medical_record_number: 'L-1' };
    const missed = { ...own, row: 3, date: '2026-10-05', status: 'tidak hadir', external_id: 'K2' };
    expect(await outcomes([own, missed])).toEqual(['created', 'created']);
    expect((await world.request('/v1/bookings', input)).body.data).toMatchObject({ status: 'approved' });
  });

  it('leaves nothing to be done to a visit, by anybody', () => {
    const at = Date.parse('2024-03-05T02:30:00Z');
    const midnight = at + 864e5;
    const facts = { now: midnight + 1, today: '2024-03-06', midnight, cancelLeadMinutes: 0 };
    const visit = {
      ...{ status: 'approved' as const, scheduleDate: '2024-03-05', startsAt: at, endsAt: at + 9e5 },
      ...{
        checkedInAt: null,
        firstCalledAt: null,
        calledAt: null,
        completedAt: at + 9e5,
        noShowAt: null,
        heldUntil: null,
        askedAt: null,
        confirmedAt: null,
      },
    };
    for (const party of ['patient', 'clinic', 'system'] as const)
      expect(allowedActions(party, visit, facts)).toEqual([]);
    expect(bookings.channel.enumValues).toContain('imported');
  });
});
