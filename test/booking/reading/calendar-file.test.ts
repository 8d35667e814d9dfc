import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { describe, expect, it } from 'vitest';
import { createDoctor, createSchedule, createSession } from '../../support/clinic.ts';
import { act, book, createClinic, detail } from '../../support/clinic-people.ts';
import { createWorld } from '../../support/world.ts';

const propertiesOf = (file: string) =>
  file
    .trim()
    .replaceAll(/\r\n /g, '')
    .split('\r\n')
    .filter((line) =>
      /^(UID|SEQUENCE|DT|SUMMARY|DESCRIPTION|STATUS|CREATED|LAST|METHOD|BEGIN|END|VERSION)/.test(line),
    )
    .sort();

describe('the calendar file', () => {
  it('says what ical-generator says of the same booking, in lines of at most 75 octets', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { endTime: '12:00:00' });
    const name =
      'Konsultasi; anak, ibu \\ ayah · keluarga — dengan nama yang panjang sekali, sampai baris terlipat';
    const sessionId = await createSession(world, name);
    const { doctorId } = clinic.practice;
    await createSchedule(world, { doctorId, sessionId, startTime: '13:00:00' });
    const id = await book(world, clinic, { session_id: sessionId, schedule_time: '13:00:00' });
    const steps = [
      ['approve', ICalEventStatus.CONFIRMED],
      ['cancel', ICalEventStatus.CANCELLED],
    ] as const;
    for (const [sequence, status] of [ICalEventStatus.TENTATIVE, ...steps.map(([, s]) => s)].entries()) {
      const verb = steps[sequence - 1]?.[0];
      world.clock.now += 60_000;
      if (verb !== undefined) expect((await act(world, clinic.staff, id, verb)).status).toBe(200);
      const booking = await detail(world, clinic.patient, id);
      const file = await world.request(`/v1/bookings/${id}/calendar.ics`, { token: clinic.patient.token });
      expect(file.headers.get('Content-Type')).toMatch(/^text\/calendar/);
      const calendar = ical({ method: ICalCalendarMethod.PUBLISH });
      calendar.createEvent({
        id: `${id}@janji`,
        sequence,
        start: new Date(booking.starts_at),
        end: new Date(booking.ends_at),
        stamp: new Date(booking.updated_at),
        created: new Date(booking.created_at),
        lastModified: new Date(booking.updated_at),
        summary: `${status === ICalEventStatus.CANCELLED ? 'Dibatalkan: ' : ''}${name}: ${booking.doctor_name}`,
        description: `Kode ${booking.booking_code}, nomor antrean ${booking.queue_label}`,
        status,
      });
      expect(propertiesOf(file.body)).toEqual(propertiesOf(calendar.toString()));
      for (const line of file.body.split('\r\n'))
        expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75);
    }
    expect(
      (await world.request(`/v1/bookings/${id}/calendar.ics`, { token: clinic.stranger.token })).status,
    ).toBe(404);
  });

  it('is in the language that was asked for', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world);
    const id = await book(world, clinic);
    const { booking_code } = await detail(world, clinic.patient, id);
    const read = async (language: string) => {
      const sent = { token: clinic.patient.token, headers: { 'Accept-Language': language } };
      const { body, headers } = await world.request(`/v1/bookings/${id}/calendar.ics`, sent);
      return [headers.get('Content-Language'), /^DESCRIPTION:.*$/m.exec(body)?.[0].trim()];
    };
    expect(await read('id')).toEqual(['id', `DESCRIPTION:Kode ${booking_code}\\, nomor antrean A-01`]);
    expect(await read('en-GB')).toEqual(['en', `DESCRIPTION:Code ${booking_code}\\, queue number A-01`]);
  });

  it('is folded at 75 octets, the space before each further line among them, and no earlier', async () => {
    const world = await createWorld();
    const clinic = await createClinic(world, { endTime: '12:00:00' });
    const sessionId = await createSession(world, 'k'.repeat(100));
    const doctorId = await createDoctor(world, { name: 'w'.repeat(100) });
    await createSchedule(world, { doctorId, sessionId, startTime: '13:00:00' });
    const there = { doctor_id: doctorId, session_id: sessionId, schedule_time: '13:00:00' };
    const id = await book(world, clinic, there);
    const { body } = await world.request(`/v1/bookings/${id}/calendar.ics`, { token: clinic.patient.token });
    const [summary = ''] = /^SUMMARY.*(\r\n .*)*/m.exec(body) ?? [];
    expect(summary.split('\r\n').map(({ length }) => length)).toEqual([75, 75, 66]);
    expect(summary.replaceAll('\r\n ', '')).toBe(`SUMMARY:${'k'.repeat(100)}: dr. ${'w'.repeat(100)}`);
  });
});
