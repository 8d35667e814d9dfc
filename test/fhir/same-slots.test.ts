import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createClosure } from '../support/clinic.ts';
import { book } from '../support/clinic-people.ts';
import { createFhirClinic, entriesOf } from '../support/fhir.ts';
import { runtime } from '../support/world.ts';

const times = ['08:00:00', '08:30:00', '10:00:00', '15:30:00'];

it('a Slot is free exactly if /v1 lists it to the same caller', async () => {
  const { world, clinic, ask } = await createFhirClinic({ capacity: 2 });
  const { doctorId } = clinic.practice;
  const people = [clinic.patient, clinic.stranger, clinic.staff, clinic.admin, clinic.doctor];
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('book' as const),
      day: fc.integer({ min: 23, max: 26 }),
      time: fc.constantFrom(...times),
      by: fc.nat(2),
    }),
    fc.record({ kind: fc.constant('leave' as const), day: fc.integer({ min: 23, max: 26 }) }),
    fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 12 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 4 }), fc.nat(people.length - 1), async (steps, reader) => {
      for (const one of steps) {
        const date = 'day' in one ? `2026-11-${one.day}` : '';
        if (one.kind === 'leave')
          await createClosure(world, {
            startDate: date,
            endDate: date,
            doctorId,
            startTime: '10:00:00',
            endTime: '12:00:00',
          });
        else if (one.kind === 'wait')
          world.clock.now = Math.min(
            world.clock.now + one.hours * 3_600_000,
            Date.parse('2026-11-26T00:00:00Z'),
          );
        // What is taken or past by now is refused, which is as good.
        else
          await book(
            world,
            clinic,
            { schedule_date: date, schedule_time: one.time },
            people[one.by]?.token,
          ).catch(() => {});
      }
      const { token } = people[reader] ?? clinic.patient;
      const listed = await world.request(`/v1/doctors/${doctorId}/slots?from=2026-11-23&to=2026-11-26`, {
        token,
      });
      const slots = await ask(
        `Slot?schedule.actor=Practitioner/${doctorId}&start=ge2026-11-23&start=lt2026-11-27&_count=100`,
        { token },
      );
      const free = entriesOf(slots)
        .filter(({ status }) => status === 'free')
        .map(({ end }) => end);
      expect(free).toEqual(listed.body.data.map(({ ends_at }: { ends_at: string }) => ends_at));
      const asked = await ask(
        `Slot?schedule.actor=Practitioner/${doctorId}&start=ge2026-11-23&start=lt2026-11-27&_count=100&status=free`,
        { token },
      );
      expect(entriesOf(asked).map(({ end }) => end)).toEqual(free);
    }),
    { numRuns: runtime === 'node' ? 25 : 8 },
  );
});
