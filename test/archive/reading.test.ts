import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { archiveBookings } from '../../src/jobs/archive.ts';
import { createPast, readContents } from '../support/archive.ts';
import { act, detail } from '../support/clinic-people.ts';
import { entriesOf, nextOf, publicUrl } from '../support/fhir.ts';
import { addKey } from '../support/keys.ts';
import type { World } from '../support/world.ts';

const archive = async (world: World): Promise<void> => {
  await archiveBookings(world.deps, world.clock.now);
  expect((await readContents(world)).archived.length).toBeGreaterThan(5);
};

describe('what reads an archive', () => {
  it('FHIR finds Appointments there as before, page by page, by whatever names them', async () => {
    const { world, clinic } = await createPast(6, { FHIR: 'on', PUBLIC_URL: publicUrl });
    const { token } = await addKey(world, ['fhir:read']);
    const { patient, stranger, doctor, otherDoctor, practice, others } = clinic;
    const [old] = (await readContents(world)).own.filter((id) => id.endsWith('000000000003'));
    const one = await world.request(`/fhir/r4/Appointment/${old}`, { token });
    const queries = [
      `patient=${patient.id}`,
      `patient=${patient.id}&date=lt2025-06-20`,
      `patient=${patient.id}&status=cancelled`,
      `patient=${stranger.id}`,
      `_id=${old}`,
      `identifier=${one.body.identifier[0].value}`,
      `practitioner=${practice.doctorId}&date=ge2025-01-01&date=lt2025-07-01`,
      `practitioner=${practice.doctorId}&_summary=count`,
      'date=ge2025-06-01&date=lt2025-07-01&specialty=umum',
      'date=ge2025-06-01&date=lt2025-07-01&specialty=gigi',
      'date=ge2026-01-01',
      `slot=${one.body.slot?.[0]?.reference}`,
      `patient=${patient.id}&_sort=-date`,
      'date=ge2025-06-01&date=lt2025-07-01&_sort=-date',
    ];
    // Counting these would read the archive through.
    const uncounted = [
      `practitioner=${practice.doctorId}`,
      `practitioner=${practice.doctorId},${others.doctorId}&status=cancelled`,
      'date=lt2025-07-01',
      `practitioner=${practice.doctorId}&_sort=-date`,
      'date=lt2025-07-01&_sort=-date',
    ];
    const pages = async (query: string, by: string) => {
      const found = [];
      const totals = [];
      for (let next: string | undefined = `Appointment?${query}&_count=4`; next !== undefined; ) {
        const answer = await world.request(`/fhir/r4/${next}`, { token: by });
        totals.push([answer.status, answer.body.total]);
        found.push(...entriesOf(answer));
        next = nextOf(answer);
      }
      return { query, totals, found };
    };
    const ask = async () => {
      const all = [];
      for (const by of [token, patient.token, stranger.token, doctor.token, otherDoctor.token])
        for (const query of by === token ? [...queries, ...uncounted] : [`patient=${patient.id}`])
          all.push(await pages(query, by));
      return all;
    };
    const before = await ask();
    expect(before[0]?.found).toHaveLength(14);
    for (const { query, found } of before.filter(({ query }) => query.endsWith('&_sort=-date'))) {
      const rising = before.find((other) => other.query === query.replace('&_sort=-date', ''));
      if (rising) expect([query, found]).toEqual([query, rising.found.toReversed()]);
    }
    await archive(world);
    const withoutTotal = ({ query, totals, ...found }: (typeof before)[number]) => ({
      ...found,
      query,
      totals: totals.map(([status, total]) => [status, uncounted.includes(query) ? undefined : total]),
    });
    expect(await ask()).toEqual(before.map(withoutTotal));
  });

  it('the desk finds by a name, a part of one and a phone number, and counts', async () => {
    const { world, clinic } = await createPast(6);
    const { staff, patient } = clinic;
    const { data } = (await world.request(`/v1/patients/${patient.id}`, { token: staff.token })).body;
    const range = 'from=2025-05-20&to=2025-07-31';
    const [name = ''] = data.name.split(' ');
    const ask = async () => {
      const found = [];
      for (const q of [name, name.slice(0, 3), data.phone_number, 'zzzz']) {
        const { status, body } = await world.request(`/v1/bookings?${range}&q=${encodeURIComponent(q)}`, {
          token: staff.token,
        });
        found.push({ status, data: body.data, counts: body.meta?.counts });
      }
      return found;
    };
    const before = await ask();
    expect(before[0]?.data.length).toBeGreaterThan(3);
    await archive(world);
    expect(await ask()).toEqual(before);
  });

  it('an archived visit is as over as any: no check-in by the poster, and the next one is booked from it', async () => {
    const { world, clinic } = await createPast(3, { SELF_CHECK_IN_MINUTES: '60' });
    const { patient, stranger, staff, admin } = clinic;
    const poster = (await world.request('/v1/admin/check-in-poster', { method: 'POST', token: admin.token }))
      .body.data.secret;
    const ids = (await readContents(world)).own.filter((id) => /00000000000[12]$/.test(id));
    const ask = async () => {
      const answers = [];
      for (const id of ids)
        for (const who of [patient, stranger]) {
          const { status, body } = await act(world, who, id, 'arrive', { poster });
          answers.push([status, body.code, body.message]);
        }
      return answers;
    };
    const before = await ask();
    expect(before.map(([status]) => status)).toContain(409);
    await archive(world);
    expect((await readContents(world)).archived).toEqual(expect.arrayContaining(ids));
    expect(await ask()).toEqual(before);
    const next = { from: '2026-11-24', to: '2026-11-30' };
    const booked = await act(world, staff, String(ids[0]), 'follow-up', next);
    expect(booked.status).toBe(201);
    expect((await detail(world, staff, booked.body.data.id)).patient.id).toBe(patient.id);
    expect((await act(world, patient, String(ids[0]), 'follow-up', next)).status).toBe(403);
  });

  it('a patient whom a database of an earlier moment does not know loses nothing', async () => {
    const { world } = await createPast(6);
    await archive(world);
    const kept = world.deps.archive;
    const later = '0190a000-0000-7000-8000-00000000abcd';
    await kept?.db.update(bookings).set({ patientId: later, notes: 'Batuk' }).where(sql`true`);
    await archiveBookings(world.deps, world.clock.now);
    const rows = (await kept?.db.select({ notes: bookings.notes }).from(bookings)) ?? [];
    expect(new Set(rows.map(({ notes }) => notes))).toEqual(new Set(['Batuk']));
  });
});
