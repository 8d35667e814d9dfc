import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { closures, doctors } from '../../../src/core/tables/catalog.ts';
import { createClosure, createDoctor, createSchedule, createSession } from '../../support/clinic.ts';
import { createPerson } from '../../support/people.ts';
import { createWorld, mondayMorning } from '../../support/world.ts';
import { runs } from '../../support/zones.ts';

const minuteMs = 60_000;
const between = (min: number, max: number) => fc.integer({ min, max });
const time = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}:00`;

const callers = ['nobody', 'patient', 'staff', 'doctor', 'otherDoctor', 'admin'] as const;

const situation = fc.record({
  slotMinutes: fc.constantFrom(20, 45, 90),
  capacity: between(1, 2),
  notice: fc.constantFrom(0, 40, 120),
  advance: between(1, 2),
  closed: fc.option(between(8, 15)),
  now: between(0, 11 * 60),
  taken: fc.array(between(0, 30), { maxLength: 3 }),
  picks: fc.array(between(0, 1_000), { minLength: 4, maxLength: 4 }),
});

/** Ten past eight: a slot has begun, another is closed by leave. */
const morning: typeof situation extends fc.Arbitrary<infer T> ? T : never = {
  slotMinutes: 45,
  capacity: 1,
  notice: 0,
  advance: 1,
  closed: 10,
  now: 70,
  taken: [],
  picks: [0, 1, 2, 3],
};

interface Listed {
  doctor_id: string;
  schedule_date: string;
  schedule_time: string;
  session_id: string;
  reason?: string;
}

const met = new Set<string>();
// Each caller has to have met both answers, and the clinic a slot that no patient may book any more.
afterAll(() => {
  for (const caller of callers)
    for (const kind of ['open', 'closed']) expect(met).toContain(`${caller} ${kind}`);
  expect(met).toContain('staff begun');
});

it('what is listed to a caller is what that caller may book, and nothing else', async () => {
  const world = await createWorld();
  const admin = await createPerson(world, 'admin');
  const dates = ['2026-11-23', '2026-11-24', '2026-11-25', '2026-11-26'];
  await fc.assert(
    fc.asyncProperty(situation, async (given) => {
      world.clock.now = mondayMorning;
      await world.db.delete(closures);
      // The list of doctors has a hundred on a page.
      await world.db.update(doctors).set({ retiredAt: world.clock.now });
      const rules = { min_notice_minutes: given.notice, max_advance_days: given.advance };
      await world.request('/v1/admin/clinic', { method: 'PATCH', token: admin.token, body: rules });
      const [doctorId, otherId] = [await createDoctor(world), await createDoctor(world)];
      const sessionId = await createSession(world);
      const { slotMinutes, capacity } = given;
      for (const weekday of [1, 2, 3, 4])
        for (const id of [doctorId, otherId])
          await createSchedule(world, { doctorId: id, sessionId, weekday, slotMinutes, capacity });
      if (given.closed !== null)
        await createClosure(world, {
          doctorId,
          startDate: dates[0] ?? '',
          startTime: time(given.closed * 60),
          endTime: time(given.closed * 60 + 60),
        });
      const people = {
        patient: await createPerson(world),
        staff: await createPerson(world, 'staff'),
        doctor: await createPerson(world, 'doctor', doctorId),
        otherDoctor: await createPerson(world, 'doctor', otherId),
        admin,
      };
      const patientOf = async () => (await createPerson(world)).id;
      const bookAs = async (caller: (typeof callers)[number], slot: Listed, patientId: string) => {
        const clinic =
          ['staff', 'admin'].includes(caller) || (caller === 'doctor' && slot.doctor_id === doctorId);
        const own = caller === 'otherDoctor' && slot.doctor_id === otherId;
        const isPatient = caller === 'patient' || caller === 'nobody';
        const fresh =
          caller === 'nobody' || caller === 'patient' ? await createPerson(world) : people[caller];
        const { reason: _reason, ...place } = slot;
        const body = { ...place, ...(!isPatient && (clinic || own) && { patient_id: patientId }) };
        const made = await world.request('/v1/bookings', { token: fresh.token, body });
        if (made.status === 201)
          await world.request(`/v1/bookings/${made.body.data.id}/cancel`, {
            method: 'POST',
            token: admin.token,
          });
        return made;
      };
      // A doctor books for patients who were there before.
      const known = await patientOf();
      for (const doctor of [doctorId, otherId]) {
        const body = {
          doctor_id: doctor,
          session_id: sessionId,
          schedule_date: '2026-11-26',
          patient_id: known,
        };
        const schedule_time = doctor === doctorId ? '08:00:00' : time(8 * 60 + slotMinutes);
        await world.request('/v1/bookings', { token: admin.token, body: { ...body, schedule_time } });
      }
      for (const nth of given.taken) {
        const body = {
          doctor_id: doctorId,
          session_id: sessionId,
          schedule_date: dates[0],
          schedule_time: '',
        };
        const schedule_time = time(8 * 60 + (nth % 5) * slotMinutes);
        const patient_id = await patientOf();
        await world.request('/v1/bookings', {
          token: admin.token,
          body: { ...body, schedule_time, patient_id },
        });
      }
      world.clock.now = mondayMorning + given.now * minuteMs;
      for (const caller of callers) {
        const token = caller === 'nobody' ? undefined : people[caller].token;
        const day = async (more: string): Promise<Listed[]> =>
          (
            await Promise.all(
              dates.map((date) =>
                world.request(`/v1/slots?date=${date}&doctor_id=${doctorId}&doctor_id=${otherId}${more}`, {
                  token,
                }),
              ),
            )
          ).flatMap(({ body }) =>
            body.data.map(({ doctor_name: _name, ...slot }: { doctor_name: string }) => slot),
          );
        const [open, all] = [await day(''), await day('&include=unavailable')];
        expect(all.filter(({ reason }) => reason === undefined)).toEqual(open);
        // Of the session on several days, it is the same slots, the soonest first.
        const several = await world.request(
          `/v1/slots?from=${dates[0]}&to=${dates[3]}&session_id=${sessionId}&include=unavailable`,
          { token },
        );
        const startOf = ({ schedule_date, schedule_time }: Listed) => `${schedule_date} ${schedule_time}`;
        const soonest = all.toSorted((a, b) => startOf(a).localeCompare(startOf(b)));
        expect(
          several.body.data.map(({ doctor_name: _name, ...slot }: { doctor_name: string }) => slot),
        ).toEqual(soonest);
        for (const id of [doctorId, otherId]) {
          const own = await world.request(`/v1/doctors/${id}/slots?from=${dates[0]}&to=${dates[3]}`, {
            token,
          });
          const ofDay = open.filter(({ doctor_id }) => doctor_id === id);
          expect(ofDay.map(({ doctor_id: _id, ...slot }) => slot)).toEqual(own.body.data);
          const listed = await world.request('/v1/doctors?include=next_available&limit=100', { token });
          const { next_available } = listed.body.data.find((doctor: { id: string }) => doctor.id === id);
          expect(next_available).toEqual(own.body.data[0] ?? expect.anything());
        }
        const closed = all.filter(({ reason }) => reason !== undefined);
        const pick = (slots: Listed[]) =>
          slots.length === 0 ? [] : given.picks.map((n) => slots[n % slots.length] as Listed);
        for (const slot of [...open.slice(0, 1), ...pick(open)]) {
          const answer = await bookAs(caller, slot, known);
          if (answer.body.code !== 'patient_busy')
            expect([caller, slot, answer.status]).toEqual([caller, slot, 201]);
          met.add(`${caller} open`);
          const startsAt = Date.parse(`${slot.schedule_date}T${slot.schedule_time}+07:00`);
          if (startsAt <= world.clock.now) met.add(`${caller} begun`);
        }
        for (const slot of pick(closed)) {
          const answer = await bookAs(caller, slot, known);
          met.add(`${caller} closed`);
          if (slot.reason === 'full') expect(['slot_full', 'patient_busy']).toContain(answer.body.code);
          else
            expect([caller, slot, answer.status, answer.body.reason]).toEqual([
              caller,
              slot,
              422,
              slot.reason,
            ]);
        }
      }
    }),
    { numRuns: runs(6), examples: [[morning]] },
  );
});
