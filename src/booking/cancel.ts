import { run, runAll } from '../db/db.ts';
import { Failure } from '../errors.ts';
import { RequestRepeated } from '../idempotency/key.ts';
import type { Asked } from './create.ts';
import { effectsOf } from './effects.ts';
import { type BookingRow, cancelVersion, explainChange, findBooking } from './queries.ts';
import { mayPatientCancel } from './rules.ts';
import { eventPayload } from './views.ts';

const mostTries = 5;

interface CancelWish {
  reason?: string | undefined;
  version?: number | undefined;
}

/** Throws unless the booking, as it stands, may be canceled by this patient now. */
const assertMayCancel = ({ deps, now }: Asked, booking: BookingRow, { version }: CancelWish): void => {
  if (version !== undefined && version !== booking.version)
    throw new Failure('version_mismatch', { extras: { version: booking.version } });
  if (!mayPatientCancel(booking, now, deps.config.CANCEL_LEAD_MINUTES))
    throw new Failure('invalid_transition', { extras: { booking_status: booking.status } });
};

/** Cancels the patient's own booking and frees its seat; decides again when it changed meanwhile. */
export const cancelBooking = async (asked: Asked, wish: CancelWish, first: BookingRow) => {
  const { deps, actor, now, requestId, keep } = asked;
  let booking: BookingRow | undefined = first;
  for (let attempt = 1; attempt <= mostTries && booking !== undefined; attempt++) {
    assertMayCancel(asked, booking, wish);
    const data = { id: booking.id, status: 'canceled' as const };
    const kept = keep({ status: 200, data, message: 'booking_canceled' });
    const writeId = deps.newId();
    const who = {
      write_id: writeId,
      actor_id: actor.userId,
      login_id: actor.deviceLoginId,
      key: kept?.idempotency.key ?? null,
      now,
    };
    const payload = eventPayload({ ...booking, status: 'canceled', version: booking.version + 1 });
    const change = {
      bookingId: booking.id,
      writeId,
      actorId: actor.userId,
      actorRole: actor.role,
      requestId,
      now,
      type: 'booking.canceled' as const,
      payload,
    };
    const statements = [
      cancelVersion(deps.db, {
        ...who,
        id: booking.id,
        version: booking.version,
        canceled_by: 'patient',
        reason_code: 'canceled',
        reason: wish.reason ?? null,
      }),
      ...effectsOf(deps.db, change, kept),
      explainChange(deps.db, who),
    ];
    const [why] = (await runAll(deps.db, statements)).at(-1) as ReturnType<
      typeof explainChange
    >['_']['result'];
    if (why?.written) return data;
    if (!why?.loginLives) throw new Failure('unauthenticated');
    if (why.repeated) throw new RequestRepeated();
    [booking] = await run(deps.db, findBooking(deps.db, { id: booking.id }));
  }
  throw new Failure('unavailable');
};
