import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { bookings } from '../../src/core/tables/bookings.ts';
import { archiveBookings } from '../../src/jobs/archive.ts';
import { createPast } from '../support/archive.ts';
import { countD1 } from '../support/counted-d1.ts';
import { entriesOf, nextOf, publicUrl } from '../support/fhir.ts';
import { addKey } from '../support/keys.ts';

it('a page of a FHIR search reads as much of the archive as it shows, by a doctor and by dates, without a lower end too', async () => {
  const copies = 60;
  const { world, clinic } = await createPast(copies, { FHIR: 'on', PUBLIC_URL: publicUrl });
  const { token } = await addKey(world, ['fhir:read']);
  await archiveBookings(world.deps, world.clock.now);
  const { practice, others } = clinic;
  const archive = world.deps.archive;
  if (archive === undefined) throw new Error('There is no archive.');
  await archive.db.update(bookings).set({ doctorId: others.doctorId }).where(sql`status = 'canceled'`);
  const counted = countD1(env.ARCHIVE_DB);
  archive.db = counted.db;
  const read = async (query: string) => {
    const rows = [];
    let next: string | undefined = `Appointment?${query}&_count=5`;
    for (let page = 0; page < 3 && next !== undefined; page++) {
      counted.take();
      const answer = await world.request(`/fhir/r4/${next}`, { token });
      expect(entriesOf(answer)).toHaveLength(5);
      rows.push(counted.take().read);
      next = nextOf(answer);
    }
    return rows;
  };
  // The six rows of a page that looks ahead by one, of each doctor, and those of the cursor's day.
  expect({
    doctor: await read(`practitioner=${practice.doctorId}`),
    doctors: await read(`practitioner=${practice.doctorId},${others.doctorId}`),
    dates: await read('date=lt2026-11-01'),
    newest: await read(`practitioner=${practice.doctorId}&_sort=-date`),
    newestDates: await read('date=lt2026-11-01&_sort=-date'),
  }).toEqual({
    doctor: [7, 8, 8],
    doctors: [14, 15, 15],
    dates: [6, 7, 8],
    newest: [7, 8, 8],
    newestDates: [6, 7, 8],
  });
});
