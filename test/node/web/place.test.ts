import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateCall } from '../../../web/patient/ticket/place.ts';

const startsAt = Date.parse('2026-11-23T02:00:00Z');
const minute = 60_000;
const waiting = {
  ahead: 0,
  startsAt,
  delayMinutes: 0,
  minutesPerVisit: 15,
  hasBegun: true,
  now: startsAt - 180 * minute,
};

describe('the place of a patient who waits', () => {
  it('is not near hours before the visit, though nobody is ahead', () => {
    expect(estimateCall(waiting)).toEqual({ minutes: 180, isNear: false });
  });

  it('is near a quarter of an hour before the visit, once the doctor has begun', () => {
    const now = startsAt - 15 * minute;
    expect(estimateCall({ ...waiting, now })).toEqual({ minutes: 15, isNear: true });
    expect(estimateCall({ ...waiting, now: now - 1 }).isNear).toBe(false);
    expect(estimateCall({ ...waiting, now, hasBegun: false }).isNear).toBe(false);
    expect(estimateCall({ ...waiting, now, delayMinutes: 20 })).toEqual({ minutes: 35, isNear: false });
  });

  it('is as far as those ahead take, and never in the past', () => {
    expect(estimateCall({ ...waiting, ahead: 4, now: startsAt })).toEqual({ minutes: 60, isNear: false });
    expect(estimateCall({ ...waiting, now: startsAt + 40 * minute })).toEqual({ minutes: 0, isNear: true });
  });

  it('comes no later by fewer ahead or a later look', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.integer({ min: -600, max: 600 }), fc.nat(120), (ahead, at, delayMinutes) => {
        const now = startsAt + at * minute;
        const place = estimateCall({ ...waiting, ahead: ahead + 1, now, delayMinutes });
        return (
          estimateCall({ ...waiting, ahead, now, delayMinutes }).minutes <= place.minutes &&
          estimateCall({ ...waiting, ahead: ahead + 1, now: now + minute, delayMinutes }).minutes <=
            place.minutes
        );
      }),
    );
  });
});
