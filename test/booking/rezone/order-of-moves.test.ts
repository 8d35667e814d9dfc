import fc from 'fast-check';
import { describe, it } from 'vitest';
import { createClinicTime } from '../../../src/core/clinic/time.ts';
import { type Group, movesTo } from '../../../src/modules/booking/rezone/rules.ts';
import { runs, zones } from '../../support/zones.ts';

describe('the order of the moves', () => {
  const aTime = fc.record({ day: fc.integer({ min: 0, max: 2 }), half: fc.integer({ min: 0, max: 47 }) });
  const aZone = fc.constantFrom(...zones, 'Pacific/Pago_Pago', 'Pacific/Kiritimati', 'Africa/Casablanca');
  const plainClock = createClinicTime('UTC');
  it('never puts a booking on an instant that is still taken, whatever the zones and wherever it broke off', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 420 }),
        fc.array(aTime, { minLength: 20, maxLength: 80 }),
        fc.array(aZone, { minLength: 2, maxLength: 4 }),
        fc.array(fc.nat(80), { minLength: 4, maxLength: 4 }),
        (firstDay, times, route, breaks) => {
          const clocks = route.map(createClinicTime);
          const groups: Group[] = [];
          for (const { day, half } of times) {
            const date = plainClock.addDays('2026-10-01', firstDay + day);
            const time = `${String(half >> 1).padStart(2, '0')}:${half % 2 ? '30' : '00'}:00`;
            const instants = clocks.map((clock) => clock.instantOf(date, half * 30));
            if (instants.includes(null) || groups.some((g) => g.date === date && g.time === time)) continue;
            groups.push({ date, time, startsAt: instants[0] as number, bookings: 1, live: 1, coming: 1 });
          }
          for (const [at, clock] of clocks.entries()) {
            const isLast = at === clocks.length - 1;
            for (const move of movesTo(groups, clock).slice(0, isLast ? undefined : breaks[at])) {
              if (groups.some(({ startsAt }) => startsAt === move.newStart)) return false;
              const moved = groups.find(({ date, time }) => date === move.date && time === move.time);
              if (moved !== undefined) moved.startsAt = move.newStart;
            }
          }
          return movesTo(groups, clocks.at(-1) as (typeof clocks)[number]).length === 0;
        },
      ),
      { numRuns: runs(200) },
    );
  });
});
