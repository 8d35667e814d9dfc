import { describe, expect, it } from 'vitest';
import { runJobs } from '../../src/jobs/jobs.ts';
import { book, createTelling, hour, tell, tellAt } from '../support/notices.ts';

describe('a visit that nobody approved in time', () => {
  it('gets a notice as canceled by the system, once', async () => {
    const telling = await createTelling();
    const { world } = telling;
    await book(telling, { schedule_date: '2026-11-25', schedule_time: '12:00:00' });
    await tell(world);
    world.clock.now = Date.parse('2026-11-25T08:00:00Z');
    world.mails.splice(0);
    await runJobs(world.deps);
    await tellAt(world, world.clock.now + hour);
    await tellAt(world, world.clock.now + hour);
    expect(world.mails.map(({ subject }) => subject)).toEqual(['Janji temu tidak sempat disetujui']);
    expect(world.mails[0]?.text).toContain('dibatalkan oleh sistem');
  });
});
