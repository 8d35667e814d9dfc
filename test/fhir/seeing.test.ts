import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { patients } from '../../src/core/tables/patients.ts';
import { fhirContracts } from '../../src/modules/fhir/contract.ts';
import { book } from '../support/clinic-people.ts';
import { createFhirClinic, entriesOf } from '../support/fhir.ts';
import { addKey } from '../support/keys.ts';
import { linesOf } from '../support/trail.ts';

describe('the endpoints of FHIR', () => {
  it('take a token, and of a key its scope', async () => {
    const { world } = await createFhirClinic();
    const { token: other } = await addKey(world, ['bookings:read', 'bookings:write', 'patients:read']);
    const { token: reader } = await addKey(world, ['fhir:read']);
    expect(fhirContracts.length).toBeGreaterThan(30);
    for (const { method, path, access, scope } of fhirContracts) {
      if (access === 'public') continue;
      const sent = {
        method: method.toUpperCase(),
        ...(method !== 'get' && { raw: path.endsWith('_search') ? '' : '{}' }),
        headers: path.endsWith('_search') ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {},
      };
      const at = path.replace('{id}', crypto.randomUUID());
      const status = async (token?: string) => (await world.request(at, { ...sent, token })).status;
      expect([at, await status(), await status(other)]).toEqual([at, 401, 403]);
      if (scope === 'fhir:write') expect([at, await status(reader)]).toEqual([at, 403]);
    }
  });
});

describe('people', () => {
  it('see what they see in /v1: their own, their patients, everything', async () => {
    const { world, clinic, ask } = await createFhirClinic();
    const { patient, stranger, staff, admin, doctor, otherDoctor } = clinic;
    const id = await book(world, clinic);
    const child = (
      await world.request('/v1/family', {
        token: patient.token,
        body: { name: 'Anak', birth_date: '2019-04-23', relation: 'child' },
      })
    ).body.data.id;
    for (const { token } of [patient, staff, admin, doctor]) {
      expect((await ask(`Appointment/${id}`, { token })).status).toBe(200);
      expect((await ask(`Appointment?_id=${id}`, { token })).body.total).toBe(1);
      expect((await ask(`Patient/${patient.id}`, { token })).status).toBe(200);
      expect((await ask(`Patient?_id=${patient.id}`, { token })).body.total).toBe(1);
    }
    for (const { token } of [stranger, otherDoctor]) {
      expect((await ask(`Appointment/${id}`, { token })).status).toBe(404);
      expect((await ask(`Patient/${patient.id}`, { token })).status).toBe(404);
      for (const query of [
        `Appointment?_id=${id}`,
        `Appointment?patient=${patient.id}`,
        'Appointment?date=2026-11-23',
        `Appointment?practitioner=${clinic.practice.doctorId}`,
        `Patient?_id=${patient.id}`,
        `Patient?phone=81234567890&_id=${patient.id}`,
        `Appointment?_id=${id}&_include=Appointment:patient`,
      ]) {
        const found = await ask(query, { token });
        expect([query, found.status, found.body.total, found.body.entry]).toEqual([query, 200, 0, undefined]);
      }
    }
    const family = entriesOf(await ask('Patient', { token: patient.token })).map((one) => one.id);
    expect(family.sort()).toEqual([patient.id, child].sort());
    expect((await ask('Appointment', { token: patient.token })).body.total).toBe(1);
    expect((await ask('Appointment', { token: doctor.token })).body.total).toBe(1);
    // A doctor without patients is one of them alone.
    const known = entriesOf(await ask('Patient', { token: otherDoctor.token })).map((one) => one.id);
    expect(known).toEqual([otherDoctor.id]);
  });

  it('see numbers of their own and as reception, and never as a doctor', async () => {
    const { world, clinic, ask, post } = await createFhirClinic();
    const { patient, staff, doctor } = clinic;
    const nik = '3171234567890001';
    await book(world, clinic);
    await world.request(`/v1/patients/${patient.id}`, {
      method: 'PATCH',
      token: staff.token,
      body: { national_id: nik, insurance_number: '0001234567890' },
    });
    await world.db.update(patients).set({ ihsId: 'P02478375538' }).where(eq(patients.id, patient.id));
    const shown = async (token?: string) =>
      ((await ask(`Patient/${patient.id}`, token === undefined ? {} : { token })).body.identifier ?? []).map(
        ({ value }: { value: string }) => value,
      );
    const numbers = [nik, '0001234567890', 'P02478375538'];
    for (const token of [undefined, patient.token, staff.token]) expect(await shown(token)).toEqual(numbers);
    expect(await shown(doctor.token)).toEqual([]);
    for (const token of [
      `https://fhir.kemkes.go.id/id/nik|${nik}`,
      'https://fhir.kemkes.go.id/id/ihs-number|P02478375538',
    ]) {
      expect((await post('Patient', { identifier: token }, { token: staff.token })).body.total).toBe(1);
      expect((await post('Patient', { identifier: token }, { token: doctor.token })).body.total).toBe(0);
      expect(
        (await post('Appointment', { 'patient.identifier': token }, { token: doctor.token })).body.total,
      ).toBe(0);
    }
  });

  it('leave a line in the audit trail for each record and each search, without a number', async () => {
    const { world, clinic, ask, post } = await createFhirClinic();
    const id = await book(world, clinic);
    const { token } = clinic.staff;
    await ask(`Patient/${clinic.patient.id}`, { token });
    await ask(`Appointment/${id}`, { token });
    await post('Patient', { identifier: 'https://fhir.kemkes.go.id/id/nik|3171234567890001' }, { token });
    await ask(`Appointment?patient=${clinic.patient.id}`, { token });
    await ask(`Patient/${clinic.patient.id}`, { token: clinic.patient.token });
    const lines = (await linesOf(world)).filter(({ type }) => type === 'record_read' || type === 'list_read');
    expect(lines.map(({ type, route }) => [type, route])).toEqual([
      ['record_read', 'GET /fhir/r4/Patient/{id}'],
      ['record_read', 'GET /fhir/r4/Appointment/{id}'],
      ['list_read', 'POST /fhir/r4/Patient/_search'],
      ['list_read', 'GET /fhir/r4/Appointment'],
    ]);
    expect(JSON.stringify(lines)).not.toContain('3171234567890001');
  });
});
