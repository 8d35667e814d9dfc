import { describe, expect, it } from 'vitest';
import { catalogue } from '../../../src/core/endpoint/errors.ts';
import { type Sentence, say } from '../../../src/core/endpoint/sentences.ts';
import { closedSentences } from '../../../src/modules/booking/record/sentences.ts';
import { bookingInput, createClosure } from '../../support/clinic.ts';
import { act, book, createClinic } from '../../support/clinic-people.ts';
import { createWorld } from '../../support/world.ts';

describe('a slot that cannot be booked', () => {
  const places = {
    past: { schedule_date: '2026-11-22' },
    too_soon: { schedule_date: '2026-11-23', schedule_time: '08:00:00' },
    too_far: { schedule_date: '2027-11-22' },
    leave: { schedule_date: '2026-11-25' },
    holiday: { schedule_date: '2026-11-26' },
    not_offered: { schedule_date: '2026-11-24', schedule_time: '09:10:00' },
  } as const satisfies Record<keyof typeof closedSentences, object>;

  it.each(Object.entries(places))('says that it is %s, to programs and to people', async (reason, place) => {
    const world = await createWorld({ MIN_NOTICE_MINUTES: '61' });
    const clinic = await createClinic(world);
    const { doctorId } = clinic.practice;
    await createClosure(world, { doctorId, startDate: '2026-11-25' });
    await createClosure(world, { startDate: '2026-11-26' });
    const { token } = clinic.patient;
    const body = bookingInput(clinic.practice, place);
    const refused = (message: string) => ({
      status: 422,
      body: { code: 'slot_unavailable', reason, message },
    });
    const values = {
      notice: { id: '61 menit', en: '61 minutes' },
      advance: { id: '90 hari', en: '90 days' },
    };
    const template: Sentence = closedSentences[reason as keyof typeof closedSentences];
    const said = say(template, values);
    expect(await world.request('/v1/bookings', { token, body })).toMatchObject(refused(said.id));
    const id = await book(world, clinic);
    const headers = { 'Accept-Language': 'en' };
    const at = { schedule_date: body.schedule_date, schedule_time: body.schedule_time };
    expect(await act(world, clinic.patient, id, 'reschedule', at, headers)).toMatchObject(refused(said.en));
    expect(Object.values(catalogue.slot_unavailable)).not.toContain(said.id);
  });
});
