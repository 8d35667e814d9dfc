import { describe, expect, it } from 'vitest';
import { noticeChoices, notices } from '../../src/core/tables/mail.ts';
import { bookingInput } from '../support/clinic.ts';
import { act, askPage, createTelling, hour, logOf, tell, tellAt } from '../support/notices.ts';
import { createPerson } from '../support/people.ts';
import { mondayMorning } from '../support/world.ts';

const birth_date = '2019-02-03';

/** A visit of a record without an account, canceled at night: the notice of it waits for the morning. */
const createCanceled = async () => {
  const telling = await createTelling();
  const { world, staff, practice } = telling;
  const add = async (fields: object): Promise<string> => {
    const body = { phone_number: '81355500001', phone_country_code: '62', confirm: true, ...fields };
    return (await world.request('/v1/patients', { token: staff.token, body })).body.data.id;
  };
  const merge = async (source: string, into: string): Promise<void> => {
    const { status } = await world.request(`/v1/patients/${source}/merge`, {
      token: staff.token,
      body: { into },
    });
    expect(status).toBe(200);
  };
  const source = await add({ name: 'Pak Darmo', email: 'lama@klinik.example' });
  const body = bookingInput(practice, { schedule_date: '2026-11-26', patient_id: source });
  const made = await world.request('/v1/bookings', { token: staff.token, body });
  await tell(world);
  const stop = new URL(/https:\S+/.exec(world.mails[0]?.text ?? '')?.[0] ?? '').pathname;
  world.clock.now = mondayMorning + 15 * hour;
  await act(telling, made.body.data.id, 'cancel');
  await tell(world);
  /** The mails of the next morning. */
  const morning = async () => {
    const before = world.mails.length;
    await tellAt(world, mondayMorning + 24 * hour);
    return world.mails.slice(before);
  };
  return { ...telling, add, merge, source, stop, morning };
};

describe('a notice that waits while its record is merged into another', () => {
  it('is sent to the record that stays, in its name and language, after a second merge too', async () => {
    const { world, add, merge, source, morning } = await createCanceled();
    const between = await add({ name: 'Darmo', email: 'antara@klinik.example' });
    const target = await add({ name: 'Sudarmo', email: 'baru@klinik.example' });
    await world.db.insert(noticeChoices).values({
      personId: target,
      email: true,
      message: true,
      stoppedKinds: '[]',
      language: 'en',
      updatedAt: world.clock.now,
    });
    await merge(source, between);
    await merge(between, target);
    const mails = await morning();
    expect(mails.map(({ to }) => to)).toEqual(['baru@klinik.example']);
    expect(mails[0]?.text).toMatch(/^Dear Sudarmo,/);
    const sent = (await world.db.select().from(notices)).map(({ kind, personId }) => [kind, personId]);
    expect(sent).toContainEqual(['canceled', target]);
    expect(sent).toContainEqual(['approved', source]);
  });

  it('is not sent where its person has stopped mails', async () => {
    const { world, add, merge, source, stop, morning } = await createCanceled();
    const target = await add({ name: 'Sudarmo', email: 'baru@klinik.example' });
    await askPage(world, stop, { method: 'POST' });
    await merge(source, target);
    expect(await morning()).toEqual([]);
    expect(await logOf(world)).toContain('canceled email dropped stopped');
  });

  it('is sent to the account that acts for the record that stays', async () => {
    const { world, patient, merge, source, morning } = await createCanceled();
    const child = await world.request('/v1/family', {
      token: patient.token,
      body: { name: 'Anak', birth_date, relation: 'child' },
    });
    await merge(source, child.body.data.id);
    expect((await morning()).map(({ to }) => to)).toEqual([patient.email]);
  });

  it('is sent to no account whose e-mail is not proved', async () => {
    const { world, merge, source, morning } = await createCanceled();
    const { id } = await createPerson(world);
    await merge(source, id);
    expect(await morning()).toEqual([]);
    expect(await logOf(world)).toContain('canceled email dropped unreachable');
  });
});
