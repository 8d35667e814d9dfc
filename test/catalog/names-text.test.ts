import { asc } from 'drizzle-orm';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { doctors, sessions } from '../../src/core/tables/catalog.ts';
import { approvals } from '../../src/core/tables/words.ts';
import { doctorFields } from '../../src/modules/catalog/fields/doctors.ts';
import { sessionFields } from '../../src/modules/catalog/fields/sessions.ts';
import { storedText as text } from '../support/arbitrary-texts.ts';
import { createDoctor, createSession } from '../support/clinic.ts';
import { copyRow, otherId } from '../support/copies.ts';
import { createWorld, runtime } from '../support/world.ts';

const numRuns = runtime === 'node' ? 100 : 40;

const setUp = async () => {
  const world = await createWorld();
  await createDoctor(world);
  await createSession(world);
  for (const table of [doctors, sessions]) await copyRow(world, table, 2, { id: otherId('id') });
  const read = async (path: string) => (await world.app.request(`http://localhost${path}`)).text();
  return { world, read };
};

const answered = (data: unknown): string =>
  JSON.stringify({ status: 'success', data, meta: { next_cursor: null } });

describe('doctors and sessions, which the database writes as JSON', () => {
  it('are byte for byte what JSON.stringify makes of the doctors, whatever texts they hold', async () => {
    const { world, read } = await setUp();
    await fc.assert(
      fc.asyncProperty(text, text, text, async (newName, newTitle, newSpecialty) => {
        await world.db.update(doctors).set({ name: `a${newName}`, title: newTitle, specialty: newSpecialty });
        const stored = await world.db.select().from(doctors).orderBy(asc(doctors.name), asc(doctors.id));
        const rows = stored.map((row) => ({ id: row.id, ...doctorFields.publicView(row), page_slug: null }));
        expect(await read('/v1/doctors')).toBe(answered(rows));
        const first = JSON.parse(await read('/v1/doctors?limit=1'));
        const rest = JSON.parse(await read(`/v1/doctors?cursor=${first.meta.next_cursor}`));
        expect([...first.data, ...rest.data]).toEqual(rows);
      }),
      { numRuns },
    );
  });

  it('are that of the sessions', async () => {
    const { world, read } = await setUp();
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom(...approvals), async (newName, newApproval) => {
        await world.db.update(sessions).set({ name: `a${newName}`, approval: newApproval });
        const stored = await world.db.select().from(sessions).orderBy(asc(sessions.name), asc(sessions.id));
        const rows = stored.map((row) => ({ id: row.id, ...sessionFields.publicView(row) }));
        expect(await read('/v1/sessions')).toBe(answered(rows));
      }),
      { numRuns },
    );
  });

  it('are an empty list where there are none', async () => {
    const { app } = await createWorld();
    for (const path of ['/v1/doctors', '/v1/sessions'])
      expect(await (await app.request(`http://localhost${path}`)).text()).toBe(answered([]));
  });
});
