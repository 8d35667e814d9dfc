import { describe, expect, it } from 'vitest';
import { createClosure } from '../support/clinic.ts';
import { act, book } from '../support/clinic-people.ts';
import { base, createFhirClinic, entriesOf, type FhirClinic, nextOf } from '../support/fhir.ts';
import { bookHeld, codesOn, hold } from '../support/holds.ts';

const ids = (found: Parameters<typeof entriesOf>[0]) => entriesOf(found).map(({ id }) => id);

describe('a search of slots', () => {
  it('finds by schedule, actor, start and status, and includes schedules and their actors', async () => {
    const { clinic, ask } = await createFhirClinic();
    const { doctorId, sessionId } = clinic.practice;
    const day = 'start=ge2026-11-24&start=lt2026-11-25';
    const all = await ask(`Slot?schedule.actor=Practitioner/${doctorId}&${day}`);
    expect(all.body.total).toBe(16);
    const [first] = entriesOf(all);
    expect(first).toMatchObject({
      id: `${doctorId}.20261124T0800`,
      status: 'free',
      start: '2026-11-24T01:00:00.000Z',
      end: '2026-11-24T01:30:00.000Z',
    });
    const scheduleId = first.schedule.reference;
    for (const query of [
      `schedule=${scheduleId}`,
      `schedule:Schedule.actor:Practitioner=${doctorId}`,
      `schedule.actor=${base}/Practitioner/${doctorId}`,
      `schedule.actor=HealthcareService/${sessionId}`,
      `service-type=${sessionId}&schedule.actor=Location/clinic`,
      `schedule.actor:Practitioner=${doctorId}`,
      `_id=${first.id}&schedule.actor=Practitioner/${sessionId}`,
    ])
      expect([query, (await ask(`Slot?${query}&${day}`)).body.total]).toEqual([
        query,
        query.startsWith('_id') ? 0 : 16,
      ]);
    const wide = await ask(
      `Slot?schedule=${scheduleId}&${day}&_count=2&_include=Slot:schedule&_include:recurse=Schedule:actor:Practitioner`,
    );
    const included = entriesOf(wide, 'include').map(({ resourceType, id }) => `${resourceType}/${id}`);
    expect(included.sort()).toEqual([`Practitioner/${doctorId}`, scheduleId].sort());
    expect(
      entriesOf(
        await ask(`Slot?schedule=${scheduleId}&_include=Slot:schedule&_include=Schedule:actor`),
        'include',
      ),
    ).toHaveLength(1);
  });

  it('calls a slot busy-tentative while it is full by a hold', async () => {
    const { world, clinic, ask } = await createFhirClinic({}, codesOn);
    const { doctorId } = clinic.practice;
    const shown = async (status = '') =>
      entriesOf(
        await ask(`Slot?schedule.actor=Practitioner/${doctorId}&start=2026-11-23T09:00:00%2B07:00${status}`),
      ).map((one) => one.status);
    const held = await hold(world, clinic.practice);
    expect(held.status).toBe(201);
    expect(await shown()).toEqual(['busy-tentative']);
    expect(await shown('&status=busy-tentative')).toEqual(['busy-tentative']);
    expect(await shown('&status=busy,free')).toEqual([]);
    await bookHeld(world, clinic.practice, { token: clinic.patient.token, secret: held.body.data.secret });
    expect(await shown()).toEqual(['busy']);
  });

  it('takes every prefix of a date, in the clinic’s zone unless an offset is named', async () => {
    const { clinic, ask } = await createFhirClinic();
    const of = `schedule.actor=Practitioner/${clinic.practice.doctorId}`;
    const counts = async (...starts: string[]) =>
      (await ask(`Slot?${of}&${starts.map((start) => `start=${encodeURIComponent(start)}`).join('&')}`)).body
        .total;
    expect(await counts('2026-11-24')).toBe(16);
    expect(await counts('eq2026-11-24T08:00')).toBe(1);
    expect(await counts('2026-11-24T08:00:00+07:00')).toBe(1);
    expect(await counts('2026-11-24T01:00:00Z')).toBe(1);
    expect(await counts('2026-11-24', 'ne2026-11-24T08:00')).toBe(15);
    expect(await counts('2026-11-24', 'gt2026-11-24T15:00')).toBe(1);
    expect(await counts('2026-11-24', 'sa2026-11-24T15:00')).toBe(1);
    expect(await counts('2026-11-24', 'ge2026-11-24T15:00')).toBe(2);
    expect(await counts('2026-11-24', 'lt2026-11-24T09:00')).toBe(2);
    expect(await counts('2026-11-24', 'eb2026-11-24T09:00')).toBe(2);
    expect(await counts('2026-11-24', 'le2026-11-24T09:00')).toBe(3);
    expect(await counts('2026-11-24,2026-11-26')).toBe(32);
    expect(await counts('2026-11-24', '2026-11-26')).toBe(0);
    expect(await counts('ap2026-11-24T08:00')).toBeGreaterThan(1);
    for (const wrong of ['2026-13-01', 'tomorrow', '2026-02-30', 'xx2026-11-24', '2026-11-24T08:00:61'])
      expect((await ask(`Slot?start=${wrong}`)).status).toBe(400);
  });

  it('says how much is left and why a slot is closed', async () => {
    const { world, clinic, ask } = await createFhirClinic({ capacity: 2 });
    const { doctorId } = clinic.practice;
    await book(world, clinic, { schedule_date: '2026-11-24' });
    await createClosure(world, { startDate: '2026-11-25', endDate: '2026-11-25', doctorId });
    const slot = async (id: string) => (await ask(`Slot/${doctorId}.${id}`)).body;
    const left = ({ extension }: { extension: { url: string; valueUnsignedInt: number }[] }) =>
      extension.map(({ url, valueUnsignedInt }) => [url.split('/').at(-1), valueUnsignedInt]);
    const half = await slot('20261124T0900');
    expect([half.status, left(half)]).toEqual([
      'free',
      [
        ['capacity', 2],
        ['remaining', 1],
      ],
    ]);
    expect(await slot('20261125T0900')).toMatchObject({ status: 'busy-unavailable', comment: 'leave' });
    expect((await ask(`Slot/${doctorId}.20261124T0905`)).status).toBe(404);
  });

  it('cuts a range that is too long, and says so', async () => {
    const { clinic, ask } = await createFhirClinic();
    const found = await ask(
      `Slot?schedule.actor=Practitioner/${clinic.practice.doctorId}&start=ge2026-11-24&start=lt2027-11-24`,
    );
    expect(found.body.total).toBe(31 * 16);
    expect(entriesOf(found, 'outcome')).toHaveLength(1);
    for (const [query, notes] of [
      ['Slot?start=ge2026-11-24&start=lt9999-12-31', 1],
      ['Slot?start=lt9999', 1],
      ['Appointment/$find?start=2026-11-24&end=9999-12-31', 1],
      ['Appointment/$find?start=2026-11-24&end=9999-12-31T00:00:00Z', 1],
      ['Slot?start=ge2026-11-24', 1],
      ['Slot?status=free', 1],
      ['Slot?start=2026-11-24', 0],
      ['Slot?start=ge2026-11-24&start=lt2026-12-01', 0],
      ['Appointment/$find?start=2026-11-24&end=2026-11-30', 0],
    ] as const)
      expect([query, entriesOf(await ask(query), 'outcome').length]).toEqual([query, notes]);
  });
});

describe('pages', () => {
  it('lead from one to the next without a gap, and name what was used', async () => {
    const { clinic, ask } = await createFhirClinic();
    const query = `schedule.actor=Practitioner/${clinic.practice.doctorId}&start=2026-11-24&_count=5&nonsense=1`;
    const seen: string[] = [];
    let path: string | undefined = `Slot?${query}`;
    while (path !== undefined) {
      const page = await ask(path);
      expect(page.body.total).toBe(16);
      expect(page.body.link[0].url).not.toContain('nonsense');
      seen.push(...ids(page));
      path = nextOf(page);
    }
    expect(new Set(seen).size).toBe(16);
    expect(ids(await ask(`Slot?${query.replace('&_count=5', '')}`))).toEqual(seen);
    expect((await ask('Slot?_page=nonsense')).status).toBe(400);
  });

  it('hold for the searches of their type at their clinic alone', async () => {
    const { clinic, ask } = await createFhirClinic();
    const query = `schedule.actor=Practitioner/${clinic.practice.doctorId}&start=2026-11-24&_count=5`;
    for (const [first, others] of [
      [`Slot?${query}`, ['Schedule', 'Appointment']],
      ['Practitioner?_count=1', ['Slot', 'PractitionerRole']],
    ] as const) {
      const next = nextOf(await ask(first)) as string;
      const page = next.slice(next.indexOf('_page='));
      expect((await ask(next)).status).toBe(200);
      const changed = [
        next.replace(/_page=./, (start) => (start.endsWith('A') ? '_page=B' : '_page=A')),
        next.replace(/_page=.{16}/, '_page='),
        ...others.map((type) => `${type}?${page}`),
      ];
      for (const one of changed) expect([one, (await ask(one)).status]).toEqual([one, 400]);
    }
  });

  it('have at most 100 entries, and none where only the number is asked for', async () => {
    const { clinic, ask } = await createFhirClinic();
    const of = `schedule.actor=Practitioner/${clinic.practice.doctorId}&start=ge2026-11-24`;
    expect(entriesOf(await ask(`Slot?${of}&_count=1000`))).toHaveLength(100);
    for (const counting of ['_summary=count', '_count=0']) {
      const { body } = await ask(`Slot?${of}&${counting}`);
      expect([body.total > 100, entriesOf({ body }), body.link.length]).toEqual([true, [], 1]);
    }
    expect((await ask('Slot?_count=many')).status).toBe(400);
  });
});

describe('parameters', () => {
  it('that are unknown are ignored, or refused where the client wants that; unknown modifiers always', async () => {
    const { ask } = await createFhirClinic();
    const strict = { headers: { Prefer: 'handling=strict' } };
    for (const name of ['nonsense=1', '_sort=active', '_include=Practitioner:nothing', 'name.family=A'])
      expect([
        name,
        (await ask(`Practitioner?${name}`)).status,
        (await ask(`Practitioner?${name}`, strict)).status,
      ]).toEqual([name, 200, 400]);
    const refused = await ask('Practitioner?nonsense=1', strict);
    expect(refused.body.issue[0]).toMatchObject({ code: 'invalid', expression: ['http.nonsense'] });
    expect((await ask('Practitioner?name:exact=Sari')).status).toBe(400);
    expect((await ask('Patient?identifier:Patient=1')).status).toBe(400);
    for (const modifier of ['missing', 'not', 'contains', 'text', 'in', 'identifier'])
      for (const query of [`Appointment?date=2026&status:${modifier}=x`, `Practitioner?_id:${modifier}=x`])
        expect([query, (await ask(query)).status]).toEqual([query, 400]);
    expect((await ask('Practitioner?_query=anything')).status).toBe(400);
    expect((await ask('Practitioner?name=Sari&_count=5&_format=json', strict)).status).toBe(200);
  });

  it('take several values as either-or, and repeat to narrow', async () => {
    const { clinic, ask } = await createFhirClinic();
    const { doctorId } = clinic.practice;
    const other = clinic.others.doctorId;
    expect(ids(await ask(`Practitioner?_id=${doctorId},${other}`)).sort()).toEqual([doctorId, other].sort());
    expect(ids(await ask(`Practitioner?_id=${doctorId}&_id=${other}`))).toEqual([]);
    expect((await ask('Practitioner?name=sari')).body.total).toBe(2);
    expect((await ask('Practitioner?name=wulan&name=sari')).body.total).toBe(2);
    expect((await ask('Practitioner?name=sari,nobody')).body.total).toBe(2);
    for (const nothing of ['nobody', '%00', '-'])
      expect([nothing, (await ask(`Practitioner?name=${nothing}`)).body.total]).toEqual([nothing, 0]);
    expect((await ask('Practitioner?active=false')).body.total).toBe(0);
    expect((await ask(`PractitionerRole?specialty=umum&practitioner=${doctorId}`)).body.total).toBe(1);
    expect(
      (await ask(`PractitionerRole?service=HealthcareService/${clinic.practice.sessionId}`)).body.total,
    ).toBe(1);
    expect((await ask(`Schedule?actor=Practitioner/${doctorId}&date=2026-11-30`)).body.total).toBe(7);
    expect((await ask(`Schedule?actor=Practitioner/${doctorId}&date=2030-11-30`)).body.total).toBe(0);
  });
});

describe('a search of appointments', () => {
  it('finds by patient, date, practitioner, status, code and slot, by GET and by form', async () => {
    const { world, clinic, ask, post } = await createFhirClinic();
    const { doctorId, sessionId } = clinic.practice;
    const id = await book(world, clinic);
    const later = await book(world, clinic, { schedule_date: '2026-11-24' }, clinic.stranger.token);
    await act(world, clinic.staff, later, 'cancel');
    const { body: one } = await ask(`Appointment/${id}`);
    const queries: Record<string, string>[] = [
      { _id: id },
      { patient: clinic.patient.id },
      { 'patient:Patient': `Patient/${clinic.patient.id}` },
      { actor: `Patient/${clinic.patient.id}` },
      { identifier: `${base}/id/booking-code|${one.identifier[0].value}` },
      { date: '2026-11-23' },
      { practitioner: doctorId, status: 'pending' },
      { practitioner: doctorId, date: 'lt2026-11-24' },
      { slot: one.slot[0].reference },
      { date: '2026-11-23', location: 'clinic', specialty: 'umum', 'service-type': sessionId },
    ];
    for (const query of queries) {
      const text = new URLSearchParams(query);
      expect([`${text}`, ids(await ask(`Appointment?${text}`))]).toEqual([`${text}`, [id]]);
      expect([`${text}`, ids(await post('Appointment', query))]).toEqual([`${text}`, [id]]);
    }
    expect(ids(await ask(`Appointment?practitioner=${doctorId}&status=pending,cancelled`))).toEqual([
      id,
      later,
    ]);
    for (const nothing of [
      'date=2026-11-23&location=elsewhere',
      'date=2026-11-23&status=noshow',
      'patient=nobody',
    ])
      expect((await ask(`Appointment?${nothing}`)).body.total).toBe(0);
    const wide = await ask('Appointment');
    expect([wide.status, wide.body.total, entriesOf(wide, 'outcome').length]).toEqual([200, 0, 1]);
  });

  it('compares the system of a status, and takes a system alone for any of its values', async () => {
    const { world, clinic, ask } = await createFhirClinic();
    const id = await book(world, clinic);
    const appointments = 'http://hl7.org/fhir/appointmentstatus';
    for (const [query, total] of [
      [`status=${appointments}|pending`, 1],
      [`status=${appointments}|booked`, 0],
      [`status=${appointments}|`, 1],
      ['status=urn:other|pending', 0],
      ['status=|pending', 0],
      ['status=urn:other|', 0],
      [`status=urn:other|pending,${appointments}|pending`, 1],
      [`identifier=${base}/id/booking-code|`, 1],
      ['identifier=urn:other|', 0],
    ] as const)
      expect([query, (await ask(`Appointment?date=2026&${query}`)).body.total]).toEqual([query, total]);
    expect(entriesOf(await ask(`Appointment?identifier=${base}/id/booking-code|`), 'outcome')).toHaveLength(
      1,
    );
    const slots = async (status: string) => (await ask(`Slot?start=2026-11-24&status=${status}`)).body.total;
    const free = await slots('free');
    expect(free).toBeGreaterThan(0);
    expect(await slots('http://hl7.org/fhir/slotstatus|free')).toBe(free);
    expect(await slots('http://hl7.org/fhir/slotstatus|')).toBe(free);
    expect(await slots(`${appointments}|free`)).toBe(0);
    expect((await ask('Location?status=http://hl7.org/fhir/location-status|active')).body.total).toBe(1);
    expect((await ask('Location?status=urn:other|active')).body.total).toBe(0);
    const asked = await ask('Appointment?patient.identifier=https://fhir.kemkes.go.id/id/nik|');
    expect([asked.status, id.length > 0]).toEqual([400, true]);
  });

  it('includes the patients, practitioners and places that it names', async () => {
    const { world, clinic, ask } = await createFhirClinic();
    await book(world, clinic);
    const found = await ask(
      'Appointment?date=2026-11-23&_include=Appointment:patient&_include=Appointment:practitioner&_include=Appointment:actor&_include:iterate=Location:organization',
    );
    expect(
      entriesOf(found, 'include')
        .map(({ resourceType }) => resourceType)
        .sort(),
    ).toEqual(['HealthcareService', 'Location', 'Organization', 'Patient', 'Practitioner']);
  });

  it('pages by the start', async () => {
    const { world, clinic, ask } = await createFhirClinic({ capacity: 3 });
    const made = [];
    for (const time of ['09:00:00', '09:30:00', '10:00:00'])
      made.push(await book(world, clinic, { schedule_time: time }));
    const first = await ask('Appointment?date=2026-11-23&_count=2');
    expect([first.body.total, ids(first)]).toEqual([3, made.slice(0, 2)]);
    const second = await ask(nextOf(first) ?? '');
    expect([second.body.total, ids(second), nextOf(second)]).toEqual([3, made.slice(2), undefined]);
  });
});

describe('a search of patients', () => {
  const nik = '3171234567890001';
  const card = '0001234567890';
  const setUp = async () => {
    const made = await createFhirClinic();
    const { world, clinic } = made;
    const { body } = await world.request('/v1/patients', {
      token: clinic.staff.token,
      body: {
        name: 'Budi Santoso',
        birth_date: '1980-05-17',
        sex: 'male',
        national_id: nik,
        insurance_number: card,
        phone_number: '81299988877',
        phone_country_code: '62',
      },
    });
    return { ...made, id: body.data.id as string, number: body.data.medical_record_number as string };
  };
  const nikToken = `https://fhir.kemkes.go.id/id/nik|${nik}`;

  it('finds by identifier, name, phone, birth date and gender', async () => {
    const { ask, post, id, number } = await setUp();
    for (const query of [
      { identifier: nikToken },
      { identifier: nik },
      { identifier: `${base}/id/insurance-number|${card}` },
      { identifier: `${base}/id/medical-record-number|${number}` },
      { name: 'santoso' },
      { name: 'bud' },
      { name: 'nobody,budi', gender: 'male' },
      { phone: '081299988877' },
      { birthdate: '1980-05-17' },
      { birthdate: 'ge1980-05', gender: 'male' },
      { birthdate: '1980' },
      { _id: id },
    ] as Record<string, string>[]) {
      const text = new URLSearchParams(query);
      expect([`${text}`, ids(await ask(`Patient?${text}`))]).toEqual([`${text}`, [id]]);
      expect([`${text}`, ids(await post('Patient', query))]).toEqual([`${text}`, [id]]);
    }
    for (const query of [
      'identifier=urn:other|1',
      'name=budi&gender=female',
      'birthdate=1981',
      `identifier=${base}/id/insurance-number|${nik}`,
    ])
      expect([query, (await ask(`Patient?${query}`)).body.total]).toEqual([query, 0]);
    expect(ids(await ask('Patient')).length).toBeGreaterThan(1);
  });

  it('finds by any number of a system', async () => {
    const { world, clinic, ask, id } = await setUp();
    const second = await world.request('/v1/patients', {
      token: clinic.staff.token,
      body: { name: 'Siti Aminah', birth_date: '1990-01-02', sex: 'female' },
    });
    // Those who came by an account have no number yet.
    const all = [id, second.body.data.id];
    for (const [query, expected] of [
      [`identifier=${base}/id/medical-record-number|`, all],
      ['identifier=https://fhir.kemkes.go.id/id/nik|', [id]],
      [`identifier=${base}/id/insurance-number|&identifier=${base}/id/medical-record-number|`, [id]],
      ['identifier=https://fhir.kemkes.go.id/id/ihs-number|', []],
      [`identifier=https://fhir.kemkes.go.id/id/ihs-number|,${base}/id/insurance-number|`, [id]],
      ['identifier=https://fhir.kemkes.go.id/id/nik|&name=nobody', []],
      ['identifier=urn:other|', []],
    ] as const)
      expect([query, ids(await ask(`Patient?${query}`))]).toEqual([query, expected]);
    const seen = [];
    for (
      let next: string | undefined = `Patient?identifier=${base}/id/medical-record-number|&_count=1`;
      next;
    ) {
      const page = await ask(next);
      seen.push(...ids(page));
      next = nextOf(page);
    }
    expect(seen).toEqual(all);
    const mixed = await ask(`Patient?identifier=https://fhir.kemkes.go.id/id/nik|,${card}`);
    expect([mixed.status, mixed.body.issue[0].expression]).toEqual([400, ['http.identifier']]);
    await book(world, clinic, { patient_id: id }, clinic.staff.token);
    const own = { token: clinic.doctor.token };
    expect(ids(await ask('Patient?identifier=https://fhir.kemkes.go.id/id/nik|', own))).toEqual([]);
    expect(ids(await ask(`Patient?identifier=${base}/id/medical-record-number|`, own))).toEqual([id]);
  });

  it('never has a number in a link or a cursor', async () => {
    const { world, clinic, ask, post, id } = await setUp();
    await book(world, clinic, { patient_id: id }, clinic.staff.token);
    await book(world, clinic, { patient_id: id, schedule_date: '2026-11-24' }, clinic.staff.token);
    for (const found of [
      await ask(`Patient?identifier=${encodeURIComponent(nikToken)}`),
      await post('Appointment', { 'patient.identifier': nikToken, _count: '1' }),
      await ask(`Appointment?patient:Patient.identifier=${nik}&_count=1`),
      await ask(`Appointment?patient:Person.identifier=${nik}&_count=1`),
    ]) {
      expect(entriesOf(found)).toHaveLength(1);
      expect(JSON.stringify(found.body.link)).not.toContain(nik);
      const next = nextOf(found);
      if (next === undefined) continue;
      expect(
        atob(
          next
            .slice(next.indexOf('=') + 1)
            .replaceAll('-', '+')
            .replaceAll('_', '/'),
        ),
      ).not.toContain(nik);
      expect(ids(await ask(next))).not.toEqual(ids(found));
    }
    expect((await post('Appointment', { 'patient.identifier': 'urn:other|1' })).body.total).toBe(0);
  });
});

describe('_sort', () => {
  /** All pages of a search, the resources in their order. */
  const pages = async ({ ask }: Pick<FhirClinic, 'ask'>, query: string) => {
    const found = [];
    for (let next: string | undefined = query; next !== undefined; ) {
      const answer = await ask(next);
      expect(answer.status).toBe(200);
      found.push(...ids(answer));
      next = nextOf(answer);
    }
    return found;
  };

  it('turns a search around, page by page, and is named by the link of what was used', async () => {
    const fhir = await createFhirClinic();
    const { world, clinic, ask } = fhir;
    const at = ['2026-11-25', '2026-11-24', '2026-11-26', '2026-11-24'];
    for (const [index, schedule_date] of at.entries())
      await book(world, clinic, { schedule_date, schedule_time: `${10 + index}:00:00` });
    for (const [query, by] of [
      ['Appointment?date=ge2026-11-23&_count=3', 'date'],
      [`Appointment?practitioner=${clinic.practice.doctorId}&_count=1`, 'date'],
      [`Slot?schedule.actor=Practitioner/${clinic.practice.doctorId}&start=2026-11-24&_count=5`, 'start'],
      ['Schedule?_count=2', 'date'],
      ['Schedule?_count=2', '_id'],
      ['Practitioner?_count=1', 'name'],
      ['Practitioner?_count=1', '_lastUpdated'],
      ['Patient?_count=1', '_id'],
      ['Patient?_count=1', '_lastUpdated'],
    ] as const) {
      const rising = await pages(fhir, `${query}&_sort=${by}`);
      expect([query, new Set(rising).size]).toEqual([query, rising.length]);
      expect([query, [...rising].sort()]).toEqual([query, (await pages(fhir, query)).sort()]);
      expect([query, await pages(fhir, `${query}&_sort=-${by}`)]).toEqual([query, rising.toReversed()]);
      const { body } = await ask(`${query}&_sort=-${by}`, { headers: { Prefer: 'handling=strict' } });
      expect(body.link[0].url).toContain(`_sort=-${by}`);
    }
    expect(await pages(fhir, 'Appointment?date=ge2026-11-23&_sort=date')).toEqual(
      await pages(fhir, 'Appointment?date=ge2026-11-23'),
    );
  });

  it('puts a patient first who was changed last', async () => {
    const { world, clinic, ask } = await createFhirClinic();
    const { staff } = clinic;
    const all = ids(await ask('Patient?_sort=-_lastUpdated'));
    const last = all.at(-1);
    world.clock.now += 60_000;
    const { body } = await world.request(`/v1/patients/${last}`, { token: staff.token });
    const changed = { name: 'Nama Baru', version: body.data.version };
    const sent = await world.request(`/v1/patients/${last}`, {
      method: 'PATCH',
      token: staff.token,
      body: changed,
    });
    expect(sent.status).toBe(200);
    expect(ids(await ask('Patient?_sort=-_lastUpdated'))).toEqual([last, ...all.slice(0, -1)]);
    expect(ids(await ask('Patient?_sort=_lastUpdated&_count=1'))).not.toContain(last);
  });

  it('is refused where a strict client asks for an order that there is not, and else left out of the link', async () => {
    const { ask } = await createFhirClinic();
    for (const query of [
      'Appointment?date=2026&_sort=status',
      'Appointment?date=2026&_sort=-_lastUpdated',
      'Slot?_sort=status',
      'Slot?_sort=start,-status',
      'Patient?_sort=name',
      'Patient?_sort=',
      'Schedule?_sort=actor',
    ]) {
      const strict = await ask(query, { headers: { Prefer: 'handling=strict' } });
      expect([query, strict.status, strict.body.issue?.[0].expression]).toEqual([query, 400, ['http._sort']]);
      const lenient = await ask(query);
      expect([query, lenient.status]).toEqual([query, 200]);
      expect(lenient.body.link[0].url).not.toContain('_sort');
    }
    const { rest } = (await ask('metadata')).body;
    const said = rest[0].resource.find(({ type }: { type: string }) => type === 'Appointment').documentation;
    expect(said).toContain('`_sort`');
  });
});

it('_lastUpdated finds what changed since, with every prefix, of the types that have a version', async () => {
  const { world, clinic, ask } = await createFhirClinic();
  const { doctorId } = clinic.practice;
  const [first, second] = [
    await book(world, clinic),
    await book(world, clinic, { schedule_time: '10:00:00' }),
  ];
  world.clock.now += 3_600_000;
  const between = new Date(world.clock.now - 1_800_000).toISOString();
  await act(world, clinic.staff, second, 'approve');
  const { lastUpdated } = (await ask(`Appointment/${second}`)).body.meta;
  for (const of of ['date=2026-11-23', `practitioner=${doctorId}`, `patient=${clinic.patient.id}`])
    for (const [asked, expected] of [
      [`ge${between}`, [second]],
      [`gt${between}`, [second]],
      [`sa${between}`, [second]],
      [`lt${between}`, [first]],
      [`le${between}`, [first]],
      [`eb${between}`, [first]],
      [lastUpdated, [second]],
      [`ne${lastUpdated}`, [first]],
      [`gt${lastUpdated}`, []],
      [lastUpdated.slice(0, 10), [first, second]],
      [`${lastUpdated},lt${between}`, [first, second]],
    ] as const) {
      const found = await ask(`Appointment?${of}&_lastUpdated=${asked}`);
      expect([of, asked, ids(found), found.body.total]).toEqual([of, asked, expected, expected.length]);
    }
  // There is no index of the changes of all bookings.
  expect(entriesOf(await ask(`Appointment?_lastUpdated=ge${between}`), 'outcome')).toHaveLength(1);
  const before = ids(await ask('Patient'));
  const { body } = await world.request('/v1/patients', {
    token: clinic.staff.token,
    body: { name: 'Baru Sekali', birth_date: '1980-05-17', sex: 'male' },
  });
  expect(ids(await ask(`Patient?_lastUpdated=ge${between}`))).toEqual([body.data.id]);
  expect((await ask(`Patient?_lastUpdated=ge${between}`)).body.total).toBe(1);
  expect(ids(await ask(`Patient?_lastUpdated=lt${between}`))).toEqual(before);
  expect(ids(await ask(`Patient?_lastUpdated=lt${between}&name=baru`))).toEqual([]);
  for (const type of ['Practitioner', 'PractitionerRole', 'HealthcareService', 'Schedule']) {
    const { total } = (await ask(type)).body;
    const count = async (asked: string) => (await ask(`${type}?_lastUpdated=${asked}`)).body.total;
    expect([type, await count(`lt${between}`), await count(`ge${between}`)]).toEqual([type, total, 0]);
  }
  const { rest } = (await ask('metadata')).body;
  for (const { type, versioning, searchParam } of rest[0].resource) {
    const said = searchParam.find(({ name }: { name: string }) => name === '_lastUpdated');
    expect([type, said?.definition]).toEqual([
      type,
      versioning === 'no-version' ? undefined : 'http://hl7.org/fhir/SearchParameter/Resource-lastUpdated',
    ]);
    const { status } = await ask(`${type}?_lastUpdated=ge2026`, { headers: { Prefer: 'handling=strict' } });
    expect([type, status]).toEqual([type, said === undefined ? 400 : 200]);
  }
  expect((await ask('Patient?_lastUpdated=lately')).status).toBe(400);
});

it('an actor of a type that nothing here has finds nothing, instead of everything', async () => {
  const { world, clinic, ask } = await createFhirClinic();
  await book(world, clinic);
  const { doctorId } = clinic.practice;
  for (const actor of ['Device/1', `PractitionerRole/${doctorId}`, 'Organization/clinic'])
    for (const query of [
      `Appointment?date=2026&actor=${actor}`,
      `Appointment?practitioner=${doctorId}&actor=${actor}`,
      `Slot?schedule.actor=${actor}`,
      `Slot?schedule.actor=Practitioner/${doctorId}&schedule.actor=${actor}`,
      `Schedule?actor=${actor}`,
    ])
      expect([query, (await ask(query)).body.total]).toEqual([query, 0]);
  expect((await ask(`Slot?schedule.actor=Patient/${clinic.patient.id}`)).body.total).toBe(0);
});

describe('bodies and answers', () => {
  it('are JSON alone: XML beside it gives JSON, XML alone 406', async () => {
    const { ask, post } = await createFhirClinic();
    const hapi =
      'application/fhir+xml;q=1.0, application/fhir+json;q=1.0, application/xml+fhir;q=0.9, application/json+fhir;q=0.9';
    const status = async (Accept: string, query = '') =>
      (await ask(`Location${query}`, { headers: { Accept } })).status;
    for (const accept of ['', hapi, 'application/fhir+json', 'application/json', '*/*', 'application/*'])
      expect([accept, await status(accept)]).toEqual([accept, 200]);
    for (const accept of [
      'application/fhir+xml',
      'text/html',
      'application/xml',
      'image/*',
      'application/fhir+json; fhirVersion=3.0',
    ])
      expect([accept, await status(accept)]).toEqual([accept, 406]);
    for (const accept of ['application/fhir+json; fhirVersion=4.0', 'image/*, */*;q=0.1'])
      expect([accept, await status(accept)]).toEqual([accept, 200]);
    expect(await status('application/fhir+xml', '?_format=json')).toBe(200);
    expect((await post('Location', { _format: 'xml' })).status).toBe(406);
    expect((await post('Location', { _format: 'json' })).status).toBe(200);
    const old = { 'Content-Type': 'application/fhir+json; fhirVersion=3.0' };
    expect((await ask('Appointment', { method: 'POST', raw: '{}', headers: old })).status).toBe(415);
    expect(await status('application/fhir+json', '?_format=xml')).toBe(406);
    expect((await ask('Location?_format=application/fhir%2Bjson')).status).toBe(200);
    const json = await post(
      'Location',
      { name: 'a' },
      { headers: { 'Content-Type': 'application/fhir+json' } },
    );
    expect([json.status, json.body.issue[0].code]).toEqual([415, 'not-supported']);
    const form = await ask('Appointment', {
      method: 'POST',
      raw: 'a=b',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(form.status).toBe(415);
    expect((await ask('Location/_search', { method: 'POST' })).status).toBe(200);
  });

  it('are OperationOutcomes where anything fails', async () => {
    const { ask } = await createFhirClinic();
    const failures: [string, number, string, Parameters<typeof ask>[1]?][] = [
      ['Location', 401, 'login', { token: undefined }],
      ['Location', 401, 'login', { token: 'nonsense' }],
      ['Nothing', 404, 'not-found'],
      ['Location/nobody', 404, 'not-found'],
      ['Location/not%20an%20id', 404, 'not-found'],
      ['Location', 405, 'not-supported', { method: 'DELETE' }],
      [
        'Appointment',
        400,
        'structure',
        { method: 'POST', raw: '{', headers: { 'Content-Type': 'application/fhir+json' } },
      ],
      [
        'Appointment',
        413,
        'too-long',
        { method: 'POST', raw: ' '.repeat(70_000), headers: { 'Content-Type': 'application/json' } },
      ],
      ['Appointment', 422, 'value', { method: 'POST', body: { resourceType: 'Patient' } }],
      [
        'Appointment',
        400,
        'invalid',
        { method: 'POST', body: { resourceType: 'Appointment' }, headers: { 'Idempotency-Key': '' } },
      ],
    ];
    for (const [path, status, code, sent] of failures) {
      const got = await ask(path, sent);
      expect([path, got.status, got.headers.get('Content-Type')]).toEqual([
        path,
        status,
        'application/fhir+json; charset=utf-8',
      ]);
      expect(got.body).toMatchObject({
        resourceType: 'OperationOutcome',
        issue: [{ severity: 'error', code }],
      });
      expect(got.body.issue[0].diagnostics).toBe(got.headers.get('X-Request-Id'));
    }
    expect((await ask('Slot?_page=abc')).body.issue[0].expression).toEqual(['http._page']);
    const english = await ask('Nothing', { headers: { 'Accept-Language': 'en' } });
    expect(english.body.issue[0].details).toEqual({
      coding: [{ system: expect.any(String), code: 'not_found' }],
      text: 'This was not found.',
    });
  });
});
