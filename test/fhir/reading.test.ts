import { describe, expect, it } from 'vitest';
import { patients } from '../../src/core/tables/patients.ts';
import { act, book } from '../support/clinic-people.ts';
import { base, createFhirClinic, entriesOf } from '../support/fhir.ts';
import { createWorld } from '../support/world.ts';

describe('FHIR', () => {
  it('is off unless it is switched on, and says nothing of itself', async () => {
    const world = await createWorld();
    const { status, body } = await world.request('/fhir/r4/metadata');
    expect([status, body.code]).toEqual([404, 'not_found']);
    await expect(createWorld({ FHIR: 'on' })).rejects.toThrow('PUBLIC_URL');
  });

  it('says what it can do to anybody', async () => {
    const { ask } = await createFhirClinic();
    const { status, body, headers } = await ask('metadata', { token: undefined });
    expect(status).toBe(200);
    expect(headers.get('Content-Type')).toBe('application/fhir+json; charset=utf-8');
    expect(body).toMatchObject({ resourceType: 'CapabilityStatement', fhirVersion: '4.0.1' });
    expect(JSON.stringify(body)).not.toMatch(/hold|xml|patch|transaction|history-/i);
  });

  it('reads each type by its id and finds it', async () => {
    const { world, clinic, ask } = await createFhirClinic();
    const id = await book(world, clinic);
    const types = [
      'Patient',
      'Practitioner',
      'PractitionerRole',
      'HealthcareService',
      'Location',
      'Organization',
      'Schedule',
      'Slot',
      'Appointment',
    ];
    const { rest } = (await ask('metadata')).body;
    for (const type of types) {
      const found = await ask(type === 'Appointment' ? `Appointment?_id=${id}` : type);
      expect([type, found.status]).toEqual([type, 200]);
      const [first] = entriesOf(found);
      const { status, body } = await ask(`${type}/${first.id}`);
      expect([type, status, body]).toEqual([type, 200, first]);
      const { versioning } = rest[0].resource.find((one: { type: string }) => one.type === type);
      expect([type, versioning === 'no-version']).toEqual([type, body.meta?.versionId === undefined]);
      expect(found.body.link[0].url.startsWith(`${base}/${type}`)).toBe(true);
      const none = await ask(`${type}/${crypto.randomUUID()}`);
      expect([type, none.status, none.body.issue[0].code]).toEqual([type, 404, 'not-found']);
    }
  });
});

it('a read of what the client has already is 304, where the version names the content', async () => {
  const { world, clinic, ask } = await createFhirClinic();
  const id = await book(world, clinic);
  const { doctorId, sessionId } = clinic.practice;
  const { rest } = (await ask('metadata')).body;
  const [schedule] = entriesOf(await ask('Schedule'));
  for (const path of [
    `Appointment/${id}`,
    `Practitioner/${doctorId}`,
    `HealthcareService/${sessionId}`,
    `PractitionerRole/${doctorId}`,
    `Schedule/${schedule.id}`,
    `Patient/${clinic.patient.id}`,
    'Location/clinic',
  ]) {
    const type = path.split('/')[0];
    const { conditionalRead } = rest[0].resource.find((one: { type: string }) => one.type === type);
    const known = conditionalRead === 'full-support' ? 304 : 200;
    expect([type, known]).toEqual([
      type,
      /^(Appointment|Practitioner|HealthcareService)$/.test(type ?? '') ? 304 : 200,
    ]);
    const { headers } = await ask(path);
    const tag = headers.get('ETag') ?? 'W/"1"';
    const at = headers.get('Last-Modified') ?? new Date(world.clock.now).toUTCString();
    const before = new Date(Date.parse(at) - 1000).toUTCString();
    const cases: [Record<string, string>, number][] = [
      [{ 'If-None-Match': tag }, known],
      [{ 'If-None-Match': `W/"99", ${tag}` }, known],
      [{ 'If-None-Match': 'W/"99"' }, 200],
      [{ 'If-Modified-Since': at }, known],
      [{ 'If-Modified-Since': before }, 200],
      [{ 'If-Modified-Since': 'yesterday' }, 200],
      [{ 'If-None-Match': 'W/"99"', 'If-Modified-Since': at }, 200],
    ];
    for (const [sent, status] of cases) {
      const got = await ask(path, { headers: sent });
      expect([path, sent, got.status]).toEqual([path, sent, status]);
      if (status === 304) expect([got.body, got.headers.get('ETag')]).toEqual(['', tag]);
    }
  }
  await act(world, clinic.staff, id, 'approve');
  expect((await ask(`Appointment/${id}`, { headers: { 'If-None-Match': 'W/"1"' } })).status).toBe(200);
  const search = await ask(`Appointment?_id=${id}`, { headers: { 'If-None-Match': '*' } });
  expect(search.status).toBe(200);
});

it('a patient has the phone number in E.164, however it was typed', async () => {
  const { world, clinic, ask } = await createFhirClinic();
  const shown: unknown[] = [];
  for (const phoneNumber of ['81234567890', '081234567890', '6281234567890']) {
    await world.db.update(patients).set({ phoneCountryCode: '62', phoneNumber });
    shown.push((await ask(`Patient/${clinic.patient.id}`)).body.telecom[0]);
  }
  expect(shown).toEqual(Array(3).fill({ system: 'phone', value: '+6281234567890' }));
});
