import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { expect, it } from 'vitest';
import { bookingInput, createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

const page = 'docs/architecture.md';

/** The files of the domain that a booking passes through, as the page says. */
const documented = [
  ...readFileSync(page, 'utf8').matchAll(/^\| \d+ \| `src\/(modules\/(?:booking|catalog)\/[^`]+)` \|/gm),
].map(([, file = '']) => file);

/** The files of the domain of which anything is used during the work: a function runs, or an export is read. */
const filesRunBy = async (work: () => Promise<unknown>): Promise<string[]> => {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await work();
    const { result } = await session.post('Profiler.takePreciseCoverage');
    return result
      .filter(({ functions }) => functions.some(({ ranges: [whole] }) => (whole?.count ?? 0) > 0))
      .flatMap(({ url }) => /src\/(modules\/(?:booking|catalog)\/.+)$/.exec(url)?.[1] ?? []);
  } finally {
    await session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
  }
};

it('books through the files of the domain that the page about the architecture names', async () => {
  const world = await createWorld();
  const practice = await createPractice(world);
  const [first, second] = [await createPerson(world), await createPerson(world)];
  const bookAt = (token: string, schedule_time: string) =>
    world.request('/v1/bookings', { token, body: bookingInput(practice, { schedule_time }) });

  await bookAt(first.token, '10:00:00');
  let status = 0;
  const files = await filesRunBy(async () => {
    ({ status } = await bookAt(second.token, '09:00:00'));
  });
  expect(status).toBe(201);
  expect(documented.length).toBeGreaterThan(5);
  expect(files.sort(), `add the file to the way of a booking in ${page}`).toEqual(documented.sort());
});
