import { describe, expect, it } from 'vitest';
import { act, book, createTelling, hour, logOf, mailing, minute, tell, tellAt } from '../support/notices.ts';
import { mondayMorning } from '../support/world.ts';

describe('a reminder', () => {
  const wednesday = { schedule_date: '2026-11-25', schedule_time: '12:00:00' };
  const start = Date.parse('2026-11-25T05:00:00Z');
  it('comes a day and two hours before an approved visit, once each', async () => {
    const telling = await createTelling();
    const { world } = telling;
    await act(telling, await book(telling, wednesday), 'approve');
    const sent: number[] = [];
    await tell(world);
    world.mails.splice(0);
    for (let now = start - 25 * hour; now < start; now += 10 * minute) {
      await tellAt(world, now);
      for (const _ of world.mails.splice(0)) sent.push((start - now) / hour);
    }
    expect(sent).toEqual([24, 2]);
  });

  it('says of a visit that nobody has approved yet that it waits', async () => {
    const telling = await createTelling();
    const { world } = telling;
    await book(telling, wednesday);
    await tell(world);
    world.mails.splice(0);
    await tellAt(world, start - 24 * hour);
    const [mail] = world.mails.splice(0);
    expect(mail?.subject).toBe('Pengingat janji temu');
    expect(mail?.text).toContain('yang masih menunggu persetujuan klinik');
    expect(world.mails).toEqual([]);
  });

  it('comes at the new time of a visit that was moved, and not at the old one', async () => {
    const telling = await createTelling();
    const { world } = telling;
    const id = await book(telling, wednesday);
    await act(telling, id, 'approve');
    await tellAt(world, start - 24 * hour);
    await act(telling, id, 'reschedule', { schedule_date: '2026-11-27', schedule_time: '12:00:00' });
    for (let now = start - 23 * hour; now <= start + 48 * hour; now += hour) await tellAt(world, now);
    expect((await logOf(world)).filter((line) => line.startsWith('reminder'))).toEqual([
      'reminder_early email sent',
      'reminder_early email sent',
      'reminder_late email sent',
    ]);
  });

  it('is not sent of what is new: booked, approved or moved after its time', async () => {
    const telling = await createTelling();
    const { world } = telling;
    await tell(world);
    // Nobody looked for reminders meanwhile.
    world.clock.now = start - 20 * hour;
    await act(telling, await book(telling, wednesday), 'approve');
    for (let now = start - 19 * hour; now < start; now += hour) await tellAt(world, now);
    expect((await logOf(world)).filter((line) => line.startsWith('reminder'))).toEqual([
      'reminder_late email sent',
    ]);
  });

  it('comes late rather than never after the service was down, but not the early one with the late one', async () => {
    const telling = await createTelling();
    const { world } = telling;
    await act(telling, await book(telling, wednesday), 'approve');
    await tell(world);
    await tellAt(world, start - 10 * hour + 9 * hour);
    expect((await logOf(world)).filter((line) => line.startsWith('reminder'))).toEqual([
      'reminder_late email sent',
    ]);
  });

  it('is left out by a setting of 0', async () => {
    const telling = await createTelling({ ...mailing, REMINDER_EARLY_HOURS: '0', REMINDER_LATE_HOURS: '0' });
    const { world } = telling;
    await act(telling, await book(telling, wednesday), 'approve');
    for (let now = mondayMorning; now <= start; now += 6 * hour) await tellAt(world, now);
    expect(await logOf(world)).toEqual(['approved email sent']);
  });
});
