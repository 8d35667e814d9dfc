import { run } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import { externalAfter, unlessExternalIdTaken } from '../../../core/db/external-fields.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { catalogue, Failure } from '../../../core/endpoint/errors.ts';
import type { ActingContext } from '../record/context.ts';
import { type BookingRow, findBooking, type SeenBooking } from '../record/queries.ts';
import { refusedTransition } from '../record/refusal.ts';
import { type Party, partyOfActor, toVisitStatus } from '../record/rules.ts';
import { mayWriteNotes } from '../record/upcoming.ts';
import { computeFacts, detailView } from '../record/views.ts';
import { toWriter } from '../seats/guards.ts';
import { limitOfWriting, refuseWriting } from '../seats/refusal.ts';
import { assertVersion } from './change.ts';
import type { EditBooking } from './contract.ts';
import { changeTo, commitChange } from './effects.ts';
import { changeNotes, explainWritten, notedColumns } from './queries.ts';

type Input = BodyOf<typeof EditBooking>;

/** Throws if the party may not write into the booking any more. */
export const assertOpen = (context: ActingContext, booking: SeenBooking, party: Party): void => {
  if (mayWriteNotes(party, booking)) return;
  const visit = toVisitStatus(booking);
  throw new Failure('invalid_transition', {
    sentence:
      refusedTransition('cancel', party, booking, computeFacts(context)) ?? catalogue.invalid_transition,
    extras: { booking_status: booking.status, ...(visit !== null && { visit }) },
  });
};

/** The party as which the actor writes notes; throws if this party may not, or not any more. */
const assertMayWrite = (context: ActingContext, booking: SeenBooking, input: Input): Party => {
  const party = partyOfActor(booking, context.actor);
  if (party === null) throw new Failure('not_found');
  const { version: _, notes, ...ofClinic } = input;
  const changesMore = Object.values(ofClinic).some((value) => value !== undefined);
  if (party !== 'clinic' && changesMore) throw new Failure('forbidden');
  if (notes === undefined && !changesMore)
    throw new Failure('validation_failed', { issues: [{ path: 'notes', rule: 'no_change' }] });
  assertVersion(booking, input);
  assertOpen(context, booking, party);
  return party;
};

/** Writes the notes of a booking and its fields for BPJS, in one guarded update. Decides again if the booking changed meanwhile. */
export const editBooking = async (context: ActingContext, input: Input, first: SeenBooking) => {
  const { deps, actor, now } = context;
  let latest: SeenBooking | undefined = first;
  return decideAgain(async () => {
    const booking = latest;
    if (booking === undefined) throw new Failure('unavailable');
    const party = assertMayWrite(context, booking, input);
    const {
      notes = booking.notes,
      staff_notes: staffNotes = booking.staffNotes,
      payer = booking.payer,
      visit_kind: visitKind = booking.visitKind,
      referral_number: referralNumber = booking.referralNumber,
    } = input;
    const version = booking.version + 1;
    const next: BookingRow = {
      ...booking,
      notes,
      staffNotes,
      payer,
      visitKind,
      referralNumber,
      ...externalAfter(booking, input),
      version,
      writeId: deps.newId(),
      updatedAt: now,
    };
    const guards = {
      ...toWriter(context, { id: booking.id, writeId: next.writeId, key: null }),
      version: booking.version,
      startsAt: booking.startsAt,
      maxAnHour: limitOfWriting(context, party),
    };
    const why = await unlessExternalIdTaken(
      commitChange(
        deps,
        [changeNotes(deps.db, { ...guards, ...notedColumns.valuesOf(next) })],
        changeTo(context, 'booking.updated', party, booking, next),
        null,
        explainWritten(deps.db, guards),
      ),
    );
    if (why?.written) return detailView(context, next, party);
    if (why !== undefined) refuseWriting(context, guards.maxAnHour, why);
    [latest] = await run(deps.db, findBooking(deps.db, { id: first.id, accountId: actor.userId }));
    return overtaken;
  });
};
