import { describe, expect, it } from 'vitest';
import { book, detail } from '../support/clinic-people.ts';
import { base, createFhirClinic, entriesOf, type FhirClinic, nextOf } from '../support/fhir.ts';

const at = (hour: string, day = '24') => `2026-11-${day}T${hour}:00+07:00`;

/** An Appointment of the clinic's doctor for its patient, Tuesday 09:00. */
const wanted = ({ clinic }: FhirClinic, fields: Record<string, unknown> = {}) => ({
  resourceType: 'Appointment',
  status: 'booked',
  start: at('09:00'),
  end: at('09:30'),
  participant: [
    { actor: { reference: `Patient/${clinic.patient.id}` }, status: 'accepted' },
    { actor: { reference: `Practitioner/${clinic.practice.doctorId}` }, status: 'accepted' },
  ],
  ...fields,
});

const made = async (fhir: FhirClinic, fields: Record<string, unknown> = {}) => {
  const { status, body } = await fhir.ask('Appointment', { body: wanted(fhir, fields) });
  expect(status).toBe(201);
  return body;
};

const put = (
  { ask }: FhirClinic,
  appointment: { id: string },
  fields: Record<string, unknown>,
  sent: Parameters<FhirClinic['ask']>[1] = {},
) => ask(`Appointment/${appointment.id}`, { method: 'PUT', body: { ...appointment, ...fields }, ...sent });

describe('POST Appointment', () => {
  it('books as /v1 does: 201 with Location and ETag, by start or by slot', async () => {
    const fhir = await createFhirClinic();
    const { ask, clinic, world } = fhir;
    const { status, headers, body } = await ask('Appointment', { body: wanted(fhir, { comment: 'Batuk' }) });
    expect([status, headers.get('ETag')]).toEqual([201, 'W/"1"']);
    expect(headers.get('Location')).toBe(`${base}/Appointment/${body.id}/_history/1`);
    expect(body).toMatchObject({
      status: 'booked',
      start: '2026-11-24T02:00:00.000Z',
      minutesDuration: 30,
      comment: 'Batuk',
    });
    expect(await detail(world, clinic.staff, body.id)).toMatchObject({
      schedule_date: '2026-11-24',
      schedule_time: '09:00:00',
      status: 'approved',
      notes: 'Batuk',
      channel: 'fhir',
      booking_code: body.identifier[0].value,
    });
    for (const fields of [{ implicitRules: 'urn:x' }, { modifierExtension: [{ url: 'urn:x' }] }]) {
      const expression = [`Appointment.${Object.keys(fields)[0]}`];
      for (const sent of [
        await ask('Appointment', { body: wanted(fhir, fields) }),
        await put(fhir, body, fields),
      ])
        expect([sent.status, sent.body.issue?.[0].expression]).toEqual([422, expression]);
    }
    const once = { body: wanted(fhir), headers: { 'If-None-Exist': 'date=2026-11-24' } };
    expect((await ask('Appointment', once)).body.issue[0]).toMatchObject({
      expression: ['http.If-None-Exist'],
    });
    const slot = { reference: `Slot/${clinic.practice.doctorId}.20261124T1000` };
    const other = await ask('Appointment', {
      body: {
        resourceType: 'Appointment',
        status: 'pending',
        slot: [slot],
        participant: [{ actor: { reference: `${base}/Patient/${clinic.stranger.id}` }, status: 'accepted' }],
      },
    });
    expect([other.status, other.body.slot]).toEqual([201, [slot]]);
  });

  it('answers a patient with pending where the clinic approves by hand, and takes them for themselves', async () => {
    const fhir = await createFhirClinic();
    const { ask, clinic } = fhir;
    const { token } = clinic.patient;
    const own = await ask('Appointment', { token, body: wanted(fhir) });
    expect([own.status, own.body.status]).toEqual([201, 'pending']);
    const [, practitioner] = wanted(fhir).participant;
    const unnamed = await ask('Appointment', {
      token,
      body: wanted(fhir, { start: at('10:00'), end: undefined, participant: [practitioner] }),
    });
    expect(unnamed.status).toBe(201);
    const others = await ask('Appointment', {
      token: clinic.stranger.token,
      body: wanted(fhir, { start: at('11:00'), end: undefined }),
    });
    expect([others.status, others.body.issue[0].expression]).toEqual([422, ['Appointment.participant']]);
  });

  it('finds the patient by an identifier', async () => {
    const fhir = await createFhirClinic();
    const nik = '3171234567890001';
    const { body } = await fhir.world.request('/v1/patients', {
      token: fhir.clinic.staff.token,
      body: { name: 'Budi', birth_date: '1980-05-17', national_id: nik },
    });
    const [, practitioner] = wanted(fhir).participant;
    const patient = (value: string) => ({
      actor: { identifier: { system: 'https://fhir.kemkes.go.id/id/nik', value } },
      status: 'accepted',
    });
    const made = await fhir.ask('Appointment', {
      body: wanted(fhir, { participant: [practitioner, patient(nik)] }),
    });
    expect([made.status, made.body.participant[0].actor.reference]).toEqual([201, `Patient/${body.data.id}`]);
    const unknown = await fhir.ask('Appointment', {
      body: wanted(fhir, { participant: [practitioner, patient('3171234567890002')] }),
    });
    expect([unknown.status, unknown.body.issue[0].expression]).toEqual([
      422,
      ['Appointment.participant[1].actor'],
    ]);
  });

  it('refuses what cannot be booked, with the element that is wrong', async () => {
    const fhir = await createFhirClinic();
    const { ask, clinic } = fhir;
    const [patient, practitioner] = wanted(fhir).participant;
    const slot = [{ reference: `Slot/${clinic.practice.doctorId}.20261124T0900` }];
    const refused: [Record<string, unknown>, number, string, string?][] = [
      [{ status: undefined }, 422, 'required', 'Appointment.status'],
      [{ status: 'fulfilled' }, 422, 'value', 'Appointment.status'],
      [{ start: undefined, end: undefined }, 422, 'required', 'Appointment.start'],
      [{ start: '2026-11-24' }, 422, 'value', 'Appointment.start'],
      [{ start: '2026-11-24T09:00:00' }, 422, 'value', 'Appointment.start'],
      [{ end: at('10:00') }, 422, 'value', 'Appointment.end'],
      [{ participant: [patient] }, 422, 'required', 'Appointment.participant'],
      [{ participant: [practitioner] }, 422, 'required', 'Appointment.participant'],
      [{ participant: [patient, {}] }, 422, 'required', 'Appointment.participant[1].actor'],
      [
        { participant: [patient, { actor: { reference: 'Device/1' } }] },
        422,
        'value',
        'Appointment.participant[1].actor',
      ],
      [{ participant: 'me' }, 422, 'value', 'Appointment.participant'],
      [{ slot: [{ reference: 'Slot/nonsense' }] }, 422, 'value', 'Appointment.slot'],
      [{ slot, start: at('09:30'), end: undefined }, 422, 'value', 'Appointment.start'],
      [{ comment: 'a'.repeat(1_001) }, 422, 'value', 'Appointment.comment'],
      [{ comment: 5 }, 422, 'value', 'Appointment.comment'],
      [{ start: at('09:10'), end: undefined }, 422, 'business-rule'],
      [{ start: at('09:00', '22'), end: undefined }, 422, 'business-rule'],
      [{ serviceType: [{ coding: [{ code: clinic.others.sessionId }] }] }, 422, 'business-rule'],
      [
        { participant: [patient, { actor: { reference: `Practitioner/${crypto.randomUUID()}` } }] },
        422,
        'business-rule',
      ],
    ];
    for (const [fields, status, code, expression] of refused) {
      const got = await ask('Appointment', { body: wanted(fhir, fields) });
      const [issue] = got.body.issue;
      const label = JSON.stringify(fields);
      expect([label, got.status, issue.code, issue.expression?.[0]]).toEqual([
        label,
        status,
        code,
        expression,
      ]);
    }
    await made(fhir);
    const full = await ask('Appointment', {
      body: wanted(fhir, {
        participant: [practitioner, { actor: { reference: `Patient/${clinic.stranger.id}` } }],
      }),
    });
    expect([full.status, full.body.issue[0].code, full.body.issue[0].details.coding[0].code]).toEqual([
      409,
      'conflict',
      'slot_full',
    ]);
  });

  it('gives the last seat to one of many', async () => {
    const fhir = await createFhirClinic();
    const people = [fhir.clinic.patient, fhir.clinic.stranger, fhir.clinic.staff, fhir.clinic.admin];
    const got = await Promise.all(
      people.map(({ token, id }) =>
        fhir.ask('Appointment', {
          token,
          body: wanted(fhir, {
            participant: [{ actor: { reference: `Patient/${id}` } }, wanted(fhir).participant[1]],
          }),
        }),
      ),
    );
    expect(got.filter(({ status }) => status === 201)).toHaveLength(1);
  });

  it('answers a repeat under one Idempotency-Key with the one Appointment', async () => {
    const fhir = await createFhirClinic();
    const headers = { 'Idempotency-Key': 'abc-1' };
    const first = await fhir.ask('Appointment', { body: wanted(fhir), headers });
    const again = await fhir.ask('Appointment', { body: wanted(fhir), headers });
    expect([again.status, again.body, again.headers.get('Idempotency-Replayed')]).toEqual([
      201,
      first.body,
      'true',
    ]);
    expect(again.headers.get('Location')).toBe(first.headers.get('Location'));
    const other = await fhir.ask('Appointment', { body: wanted(fhir, { start: at('10:00') }), headers });
    expect([other.status, other.body.issue[0].details.coding[0].code]).toEqual([
      422,
      'idempotency_key_reused',
    ]);
    expect((await fhir.ask('Appointment?date=2026-11-24')).body.total).toBe(1);
  });

  it('leaves the body out where the client wants that', async () => {
    const fhir = await createFhirClinic();
    const { status, body, headers } = await fhir.ask('Appointment', {
      body: wanted(fhir),
      headers: { Prefer: 'return=minimal' },
    });
    expect([status, body, headers.get('ETag')]).toEqual([201, '', 'W/"1"']);
  });
});

describe('PUT Appointment', () => {
  it('cancels with the reason, and does nothing where nothing differs', async () => {
    const fhir = await createFhirClinic();
    const { world, clinic } = fhir;
    const appointment = await made(fhir);
    expect((await put(fhir, appointment, {})).body).toEqual(appointment);
    const { status, body, headers } = await put(fhir, appointment, {
      status: 'cancelled',
      cancelationReason: { text: 'Dokter sakit' },
    });
    expect([status, body.status, body.cancelationReason.coding[0].code, headers.get('ETag')]).toEqual([
      200,
      'cancelled',
      'prov',
      'W/"2"',
    ]);
    expect((await detail(world, clinic.staff, appointment.id)).cancellation).toMatchObject({
      reason: 'Dokter sakit',
      reason_code: expect.any(String),
    });
    const again = await put(fhir, body, { status: 'booked' });
    expect([again.status, again.body.issue[0].expression]).toEqual([422, ['Appointment.status']]);
  });

  it('lets its patient cancel and move, and nobody else know of it', async () => {
    const fhir = await createFhirClinic();
    const { world, clinic } = fhir;
    const id = await book(world, clinic, { schedule_date: '2026-11-24' });
    const { token } = clinic.patient;
    const { body: own } = await fhir.ask(`Appointment/${id}`, { token });
    for (const { token } of [clinic.stranger, clinic.otherDoctor])
      expect((await put(fhir, own, { status: 'cancelled' }, { token })).status).toBe(404);
    const forbidden = await put(fhir, own, { status: 'checked-in' }, { token });
    expect([forbidden.status, forbidden.body.issue[0].code]).toEqual([403, 'forbidden']);
    const moved = await put(fhir, own, { start: at('10:00'), end: at('10:30') }, { token });
    expect([moved.status, moved.body.start]).toEqual([200, '2026-11-24T03:00:00.000Z']);
    const canceled = await put(fhir, moved.body, { status: 'cancelled' }, { token });
    expect(canceled.body.cancelationReason.coding[0].code).toBe('pat');
  });

  it('moves to another slot, service or doctor, and not in part', async () => {
    const fhir = await createFhirClinic();
    const { clinic, ask } = fhir;
    const appointment = await made(fhir);
    const slot = [{ reference: `Slot/${clinic.others.doctorId}.20261125T0830` }];
    const [patient] = appointment.participant;
    const moved = await put(fhir, appointment, {
      slot,
      start: undefined,
      end: undefined,
      participant: [patient],
      serviceType: undefined,
    });
    expect([moved.status, moved.body.slot, moved.body.start]).toEqual([
      200,
      slot,
      '2026-11-25T01:30:00.000Z',
    ]);
    const back = await put(fhir, moved.body, { start: at('09:00'), end: at('09:30') });
    expect([back.status, back.body.start]).toEqual([200, '2026-11-24T02:00:00.000Z']);
    const both = await put(fhir, back.body, { status: 'cancelled', start: at('10:00') });
    expect([both.status, both.body.issue[0].expression]).toEqual([422, ['Appointment.start']]);
    const taken = await ask('Appointment', { body: wanted(fhir, { start: at('11:00'), end: at('11:30') }) });
    const full = await put(fhir, back.body, {
      start: at('11:00'),
      end: undefined,
      slot: undefined,
      participant: [back.body.participant[0], taken.body.participant[1]],
      serviceType: taken.body.serviceType,
    });
    expect(full.status).toBe(409);
  });

  it('follows the visit: approve, check-in, complete, no-show', async () => {
    const fhir = await createFhirClinic();
    const { world, clinic } = fhir;
    const today = await book(world, clinic);
    const read = async () => (await fhir.ask(`Appointment/${today}`)).body;
    for (const [status, shown] of [
      ['booked', 'booked'],
      ['arrived', 'checked-in'],
      ['fulfilled', 'fulfilled'],
    ]) {
      const { body } = await put(fhir, await read(), { status });
      expect([status, body.status]).toEqual([status, shown]);
    }
    const over = await put(fhir, await read(), { status: 'noshow' });
    expect([over.status, over.body.issue[0].code]).toEqual([409, 'business-rule']);
    const absent = await made(fhir, { start: '2026-11-23T08:00:00+07:00', end: undefined });
    world.clock.now += 2 * 3_600_000;
    expect((await put(fhir, absent, { status: 'noshow' })).body.status).toBe('noshow');
    const odd = await put(fhir, await made(fhir), { status: 'waitlist' });
    expect([odd.status, odd.body.issue[0].expression]).toEqual([422, ['Appointment.status']]);
  });

  it('an older copy is 412 and not an element that somebody else changed meanwhile', async () => {
    const fhir = await createFhirClinic();
    const older = await made(fhir);
    const moved = await put(fhir, older, { start: at('10:00'), end: undefined, slot: undefined });
    const place = `${base}/Appointment/${older.id}/_history/${moved.body.meta.versionId}`;
    expect([moved.status, moved.headers.get('Content-Location')]).toEqual([200, place]);
    const headers = { 'If-Match': `W/"${older.meta.versionId}"` };
    const { status, body } = await put(fhir, older, { status: 'cancelled' }, { headers });
    expect([status, body.issue[0].code]).toEqual([412, 'conflict']);
    expect((await put(fhir, older, { status: 'cancelled' })).status).toBe(422);
  });

  it('refuses a version that is not the present one with 412', async () => {
    const fhir = await createFhirClinic();
    const appointment = await made(fhir);
    const sent = (version: string) => ({ headers: { 'If-Match': version } });
    for (const change of [{}, { status: 'cancelled' }, { start: at('10:00'), end: undefined }]) {
      const { status, body } = await put(fhir, appointment, change, sent('W/"7"'));
      expect([status, body.issue[0].code]).toEqual([412, 'conflict']);
    }
    expect((await put(fhir, appointment, {}, sent('7'))).status).toBe(400);
    const { status, body } = await put(
      fhir,
      appointment,
      { start: at('10:00'), end: undefined },
      sent('W/"1"'),
    );
    expect([status, body.meta.versionId]).toEqual([200, '2']);
    expect((await put(fhir, body, { status: 'cancelled' }, sent('"2"'))).status).toBe(200);
  });

  it('refuses every other difference, and names its element', async () => {
    const fhir = await createFhirClinic();
    const { clinic } = fhir;
    const appointment = await made(fhir, { comment: 'Batuk' });
    const differences: [Record<string, unknown>, string][] = [
      [{ comment: 'Pilek' }, 'comment'],
      [{ description: 'Kontrol' }, 'description'],
      [{ identifier: [] }, 'identifier'],
      [{ created: '2026-01-01T00:00:00Z' }, 'created'],
      [{ priority: 1 }, 'priority'],
      [
        { participant: [{ actor: { reference: `Patient/${clinic.stranger.id}` }, status: 'accepted' }] },
        'participant',
      ],
      [{ id: crypto.randomUUID() }, 'id'],
      [{ end: at('10:00') }, 'end'],
    ];
    for (const [fields, element] of differences) {
      const { status, body } = await fhir.ask(`Appointment/${appointment.id}`, {
        method: 'PUT',
        body: { ...appointment, ...fields },
      });
      expect([element, status, body.issue[0].expression]).toEqual([element, 422, [`Appointment.${element}`]]);
    }
    const shuffled = Object.fromEntries(Object.entries(appointment).reverse());
    expect((await put(fhir, appointment, { ...shuffled, text: { status: 'empty' } })).status).toBe(200);
  });
});

describe('$find and $book', () => {
  const find = (fhir: FhirClinic, extra: object[] = [], query = '') =>
    fhir.ask(`Appointment/$find${query}`, {
      body: {
        resourceType: 'Parameters',
        parameter: [
          { name: 'start', valueDateTime: at('08:00') },
          { name: 'end', valueDateTime: at('16:00') },
          ...extra,
        ],
      },
    });

  it('finds what can be made, by POST and by GET', async () => {
    const fhir = await createFhirClinic();
    const { clinic, ask } = fhir;
    await made(fhir);
    const { doctorId, sessionId } = clinic.practice;
    const practitioner = { name: 'practitioner', valueReference: { reference: `Practitioner/${doctorId}` } };
    const found = await find(fhir, [practitioner]);
    expect([found.status, found.body.total]).toEqual([200, 15]);
    expect(entriesOf(found)[0]).toMatchObject({
      id: `${doctorId}.20261124T0800`,
      status: 'proposed',
      requestedPeriod: [{ start: '2026-11-24T01:00:00.000Z' }],
    });
    expect((await find(fhir)).body.total).toBe(31);
    expect(entriesOf(await find(fhir, [], '?_count=3'))).toHaveLength(3);
    expect(
      (await find(fhir, [practitioner, { name: 'visit-type', valueString: `urn:x|${sessionId}` }])).body
        .total,
    ).toBe(15);
    expect((await find(fhir, [{ name: 'specialty', valueString: 'urn:x|umum' }])).body.total).toBe(31);
    // A doctor who is named by an identifier that nobody has is no doctor at all.
    const unknown = { name: 'practitioner', valueReference: { identifier: { system: 'urn:x', value: '1' } } };
    expect((await find(fhir, [unknown])).body.total).toBe(0);
    expect(entriesOf(await find(fhir, [], '?_count=0'))).toEqual([]);
    expect((await find(fhir, [], '?_count=many')).status).toBe(400);
    expect((await find(fhir, [{ name: 'specialty', valueString: 'Gigi' }])).body.total).toBe(0);
    expect(
      (await find(fhir, [{ name: 'location-reference', valueReference: { reference: 'Location/other' } }]))
        .body.total,
    ).toBe(0);
    const query = new URLSearchParams({
      start: at('08:00'),
      end: at('16:00'),
      practitioner: `Practitioner/${doctorId}`,
    });
    expect((await ask(`Appointment/$find?${query}`)).body.total).toBe(15);
    // A date as the end has its whole day.
    const days = `practitioner=Practitioner/${doctorId}&start=2026-11-24&end=`;
    for (const [end, count] of [
      ['2026-11-24', 15],
      ['2026-11-25', 31],
      ['2026-11-24T08:00', 0],
    ])
      expect([end, (await ask(`Appointment/$find?${days}${end}`)).body.total]).toEqual([end, count]);
    expect((await ask('Appointment/$find?start=2026-11-24')).body.issue[0].expression).toEqual(['http.end']);
  });

  it('goes on page by page by a link, which has what was used and no patient', async () => {
    const fhir = await createFhirClinic();
    const { clinic, ask } = fhir;
    await made(fhir);
    const patient = {
      name: 'patient-reference',
      valueReference: { reference: `Patient/${clinic.patient.id}` },
    };
    const all = entriesOf(await find(fhir)).map(({ id }) => id);
    expect(all).toHaveLength(31);
    const { sessionId } = clinic.practice;
    for (const [extra, total] of [
      [[], 31],
      [[{ name: 'visit-type', valueCoding: { code: sessionId } }], 15],
    ] as const) {
      const found: string[] = [];
      for (let answer = await find(fhir, [...extra, patient], '?_count=7'); ; ) {
        expect([answer.status, answer.body.total]).toEqual([200, total]);
        expect(JSON.stringify(answer.body.link)).not.toContain(clinic.patient.id);
        expect(answer.body.link[0].url).toContain('_count=7');
        found.push(...entriesOf(answer).map(({ id }) => id));
        const next = nextOf(answer);
        if (next === undefined) break;
        answer = await ask(next);
      }
      expect([found.length, all.filter((id) => found.includes(id))]).toEqual([total, found]);
    }
    const next = nextOf(await find(fhir, [], '?_count=7')) ?? '';
    for (const page of [`${next}x`, next.replace('$find', 'x').replace('Appointment/x', 'Appointment')])
      expect([page, (await ask(page)).status]).toEqual([page, 400]);
  });

  it('takes visit types and specialties as codings and concepts, any of which may fit', async () => {
    const fhir = await createFhirClinic();
    const { sessionId } = fhir.clinic.practice;
    const counts = async (name: string, value: object) => (await find(fhir, [{ name, ...value }])).body.total;
    const coding = { system: 'http://snomed.info/sct', code: '394579002' };
    for (const [value, count] of [
      [{ valueCoding: { code: sessionId } }, 16],
      [{ valueCoding: coding }, 0],
      [{ valueCodeableConcept: { coding: [coding, { code: sessionId }] } }, 16],
      [{ valueCodeableConcept: { coding: [coding], text: 'Konsultasi' } }, 32],
      [{ valueCodeableConcept: { coding: [coding] } }, 0],
      [{ valueCodeableConcept: {} }, 0],
      [{ valueString: `|${sessionId}` }, 16],
    ] as const)
      expect([value, await counts('visit-type', value)]).toEqual([value, count]);
    expect(await counts('specialty', { valueCodeableConcept: { text: 'Umum' } })).toBe(32);
    expect(await counts('specialty', { valueCoding: coding })).toBe(0);
  });

  it('takes a null for nothing, wherever it stands', async () => {
    const fhir = await createFhirClinic();
    expect((await find(fhir, [null as unknown as object])).body.total).toBe(32);
    const nothing = {
      resourceType: 'Parameters',
      parameter: [null, { name: 'appointment-resource', resource: null }],
    };
    expect((await fhir.ask('Appointment/$book', { body: nothing })).status).toBe(422);
    const [proposed] = entriesOf(await find(fhir));
    const resource = { ...proposed, status: 'pending', participant: null };
    const without = await bookIt(
      fhir,
      { name: 'appointment-resource', resource },
      { name: 'patient-resource', resource: null },
    );
    expect([without.status, without.body.issue[0].expression]).toEqual([422, ['Appointment.participant']]);
  });

  const bookIt = (fhir: FhirClinic, ...parameter: object[]) =>
    fhir.ask('Appointment/$book', { body: { resourceType: 'Parameters', parameter } });
  const patientOf = ({ clinic }: FhirClinic) => ({
    name: 'patient-resource',
    resource: { resourceType: 'Patient', id: clinic.patient.id },
  });

  it('books a proposed one by its reference, with the patient and a comment', async () => {
    const fhir = await createFhirClinic();
    const [proposed] = entriesOf(await find(fhir));
    const booked = await bookIt(
      fhir,
      { name: 'appointment-reference', valueReference: { reference: `Appointment/${proposed.id}` } },
      patientOf(fhir),
      { name: 'comment', valueString: 'Batuk' },
    );
    expect([booked.status, booked.body.type, booked.body.total]).toEqual([200, 'searchset', 1]);
    expect(entriesOf(booked)[0]).toMatchObject({ status: 'booked', comment: 'Batuk', start: proposed.start });
    const again = await bookIt(
      fhir,
      { name: 'appointment-reference', valueReference: { reference: `Appointment/${proposed.id}` } },
      patientOf(fhir),
    );
    expect([again.status, again.body.issue[0].code]).toEqual([409, 'conflict']);
    expect((await bookIt(fhir, { name: 'comment', valueString: 'a' })).status).toBe(422);
  });

  it('books for a patient who is named by an identifier, and for nobody if it names none', async () => {
    const fhir = await createFhirClinic();
    const { world, clinic } = fhir;
    const [first, second] = entriesOf(await find(fhir));
    const book = (proposed: { id: string }, resource: object) =>
      bookIt(
        fhir,
        { name: 'appointment-reference', valueReference: { reference: `Appointment/${proposed.id}` } },
        { name: 'patient-resource', resource: { resourceType: 'Patient', ...resource } },
      );
    const made = await world.request('/v1/patients', {
      token: clinic.staff.token,
      body: { name: 'Ratna', sex: 'female', birth_date: '1990-01-02', medical_record_number: 'RM-77' },
    });
    const [booked] = entriesOf(
      await book(first, {
        identifier: [
          { system: 'urn:elsewhere', value: '7' },
          { system: `${base}/id/medical-record-number`, value: 'RM-77' },
        ],
      }),
    );
    expect(booked.participant[0].actor.reference).toBe(`Patient/${made.body.data.id}`);
    for (const resource of [{ identifier: [{ value: 'RM-78' }] }, { name: [{ text: 'Ratna' }] }])
      expect((await book(second, resource)).status).toBe(422);
  });

  it('books, moves and cancels by the resource; a repeat under one key does it once', async () => {
    const fhir = await createFhirClinic();
    const [proposed] = entriesOf(await find(fhir));
    const body = {
      resourceType: 'Parameters',
      parameter: [
        { name: 'appointment-resource', resource: { ...proposed, status: 'pending' } },
        patientOf(fhir),
      ],
    };
    const headers = { 'Idempotency-Key': 'book-1' };
    const [one] = entriesOf(await fhir.ask('Appointment/$book', { body, headers }));
    expect(entriesOf(await fhir.ask('Appointment/$book', { body, headers }))).toEqual([one]);
    const resource = (fields: object) => ({ name: 'appointment-resource', resource: { ...one, ...fields } });
    const [moved] = entriesOf(await bookIt(fhir, resource({ start: at('15:00'), end: at('15:30') })));
    expect([moved.id, moved.status, moved.start]).toEqual([one.id, 'booked', '2026-11-24T08:00:00.000Z']);
    const [canceled] = entriesOf(
      await bookIt(fhir, { name: 'appointment-resource', resource: { ...moved, status: 'cancelled' } }),
    );
    expect(canceled.status).toBe('cancelled');
    const foreign = await fhir.ask('Appointment/$book', {
      token: fhir.clinic.stranger.token,
      body: { resourceType: 'Parameters', parameter: [{ name: 'appointment-resource', resource: moved }] },
    });
    expect(foreign.status).toBe(404);
  });
});
