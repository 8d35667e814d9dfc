import { resolveRule } from '../../../core/clinic/rules.ts';
import { toBase64Url } from '../../../core/crypto/base64url.ts';
import { run, runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { Deps } from '../../../core/deps.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import { dateInWords, say, timeInWords } from '../../../core/endpoint/sentences.ts';
import { storeOnly } from '../../../core/idempotency/queries.ts';
import { changeEvent, recordIfChanged, recordSecurityEvent, toAuthor } from '../../auth/audit/queries.ts';
import type { AnyContext } from '../../auth/context.ts';
import { throttled } from '../../auth/throttle/throttled.ts';
import type { findClinic } from '../../catalog/slots/queries.ts';
import { changeBooking } from '../changes/change.ts';
import { findSurroundings } from '../queue/queries.ts';
import { timeWithin } from '../queue/views.ts';
import type { BookingRow, SeenBooking } from '../record/queries.ts';
import { partyOfActor, toVisitStatus } from '../record/rules.ts';
import { arrivalSentences as sentences } from '../record/sentences.ts';
import { detailView } from '../record/views.ts';
import type { CheckInAtKiosk } from './contract.ts';
import { type Arriving, findArriving, replacePoster } from './queries.ts';
import { type Arrival, arrivalWindow, judgeArrival, toInitials, typedBookingCode } from './rules.ts';

type Clinic = ReturnType<typeof findClinic>['_']['result'][number] | undefined;

/** How wide the window is, in minutes; throws `not_found` where the clinic has not turned it on. */
const openMinutes = ({ config }: Deps, clinic: Clinic): number => {
  const minutes = resolveRule('selfCheckInMinutes', config, clinic ?? {});
  if (minutes === 0) throw new Failure('not_found');
  return minutes;
};

const refuse = (
  { deps: { clinicTime } }: AnyContext,
  why: Exclude<Arrival, 'may' | 'here'>,
  opensAt: number,
) => {
  if (why !== 'early') return new Failure('check_in_closed', { sentence: sentences[why] });
  const date = clinicTime.dateOf(opensAt);
  const time = timeInWords(timeWithin(clinicTime, date, opensAt));
  return new Failure('check_in_closed', {
    sentence: say(sentences.early, { date: dateInWords(date), time }),
  });
};

/** Checks in once, also when others do so at the same moment; gives the booking as it then stands. */
const checkIn = (
  context: AnyContext,
  minutes: number,
  first: SeenBooking,
  isVouched: boolean,
): Promise<BookingRow> => {
  const { deps, now } = context;
  const today = deps.clinicTime.dateOf(now);
  let booking = first;
  return decideAgain<BookingRow>(async () => {
    const midnight = deps.clinicTime.startOf(booking.scheduleDate);
    // A photograph of the poster works at home: it approves nothing that the clinic has yet to look at.
    const arrival = judgeArrival(booking, { now, today, minutes, midnight, mayApprove: !isVouched });
    if (arrival === 'here') return booking;
    if (arrival !== 'may')
      throw refuse(context, arrival, arrivalWindow(booking, { minutes, midnight }).opensAt);
    try {
      const { version } = booking;
      return await changeBooking(context, 'check-in', { version }, booking, {
        view: (row) => row,
        isVouched,
      });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'version_mismatch') throw error;
      const [again] = await run(deps.db, findArriving(deps.db, { id: first.id, code: null }));
      if (again === undefined) throw new Failure('not_found');
      booking = { ...again, isFamily: first.isFamily };
      return overtaken;
    }
  });
};

const kioskView = (
  { clinicTime }: Deps,
  row: BookingRow,
  { patientName }: Pick<Arriving, 'patientName'>,
  room: string,
) => ({
  queue_label: row.queueLabel,
  initials: toInitials(patientName),
  room,
  doctor_name: row.doctorName,
  session_name: row.sessionName,
  schedule_date: row.scheduleDate,
  schedule_time: row.scheduleTime,
  starts_at: toIso(row.startsAt),
  time_zone: clinicTime.zone,
  booking_code: row.bookingCode,
  visit: toVisitStatus(row) ?? ('checked_in' as const),
});

/** Writes that somebody tried a code or a date of birth that is none, and throws the one answer to both. */
const refuseUnknown = async (context: AnyContext): Promise<never> => {
  const { deps } = context;
  const event = changeEvent(deps, toAuthor(context), 'check_in_refused', {});
  await run(deps.db, recordSecurityEvent(deps.db, event));
  throw new Failure('arrival_unknown');
};

/** Checks a patient in at a device of the clinic. */
export const checkInAtKiosk = (context: AnyContext, body: BodyOf<typeof CheckInAtKiosk>, clinic: Clinic) => {
  const { deps, actor } = context;
  const minutes = openMinutes(deps, clinic);
  const code = typedBookingCode(body.code);
  const attempt = { act: 'check-in', account: code, from: actor.userId } as const;
  const reads = { found: findArriving(deps.db, { id: null, code }) };
  return throttled(context, { ...attempt, reads }, async (_attempt, { found: [booking] }) => {
    const isTheirs = body.birth_date === undefined || booking?.birthDate === body.birth_date;
    if (booking === undefined || !isTheirs) return refuseUnknown(context);
    const [around] = await run(deps.db, findSurroundings(deps.db, { id: booking.id }));
    const row = await checkIn(context, minutes, booking, false);
    const data = kioskView(deps, row, booking, around?.room ?? '');
    return { status: 200 as const, data };
  });
};

/** Checks a patient in who scanned the poster of the clinic with the own phone. */
export const checkInByPoster = async (
  context: AnyContext,
  poster: string,
  clinic: Clinic,
  booking: SeenBooking,
) => {
  const minutes = openMinutes(context.deps, clinic);
  if (clinic?.posterSecret !== poster)
    throw new Failure('arrival_unknown', { sentence: sentences.poster_over });
  const row = await checkIn(context, minutes, booking, true);
  return detailView(context, row, partyOfActor(booking, context.actor) ?? 'patient');
};

/** Makes a new poster; the secret is long enough that nobody guesses it. */
export const makePoster = async (context: AnyContext) => {
  const { deps } = context;
  const secret = toBase64Url(crypto.getRandomValues(new Uint8Array(16)));
  const event = changeEvent(deps, toAuthor(context), 'poster_made', {});
  const data = { secret };
  await runAll(deps.db, {
    replaced: replacePoster(deps.db, data),
    recorded: recordIfChanged(deps.db, event),
    stored: storeOnly(deps.db, event, context.toStoredResponse({ status: 200, data })),
  });
  return data;
};
