import { runAll } from '../../../core/db/db.ts';
import { decideAgain, overtaken } from '../../../core/db/decide-again.ts';
import type { BodyOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { questionsIn } from '../../catalog/fields/questions.ts';
import { assertVersion } from '../changes/change.ts';
import { assertOpen } from '../changes/edit.ts';
import { changeTo, commitChange } from '../changes/effects.ts';
import { changeAnswers, explainWritten } from '../changes/queries.ts';
import { type AskedRow, findAsked } from '../record/answer-queries.ts';
import { answered, answersIn, filterAsked, openQuestions } from '../record/answer-rules.ts';
import { answersView } from '../record/answer-views.ts';
import type { ActingContext } from '../record/context.ts';
import { type BookingRow, findBooking, type SeenBooking } from '../record/queries.ts';
import { partyOfActor } from '../record/rules.ts';
import { toWriter } from '../seats/guards.ts';
import { limitOfWriting, refuseWriting } from '../seats/refusal.ts';
import type { PutAnswers } from './contract.ts';

/** What the booking's session asks and what was answered, as it is shown. */
export const questionsView = (
  { id, version, answers }: Pick<BookingRow, 'id' | 'version' | 'answers'>,
  asked: AskedRow,
) => {
  const questions = questionsIn(asked.questions);
  const given = answersIn(answers);
  const isKnown = asked.isKnown === 1;
  return {
    booking_id: id,
    version,
    questions_version: asked.sessionVersion,
    questions: filterAsked(questions, isKnown),
    answers: answersView({ answers }),
    to_answer: openQuestions(questions, given, isKnown).map((question) => question.id),
  };
};

/**
 * Answers the questions of a booking in one guarded update. Decides again if the booking or the questions changed
 * meanwhile; answers that are the same change nothing.
 */
export const putAnswers = async (
  context: ActingContext,
  input: BodyOf<typeof PutAnswers>,
  first: SeenBooking,
  firstAsked: AskedRow | undefined,
) => {
  const { deps, actor, now } = context;
  let latest: SeenBooking | undefined = first;
  let asked = firstAsked;
  return decideAgain(async () => {
    const booking = latest;
    if (booking === undefined || asked === undefined) throw new Failure('unavailable');
    const party = partyOfActor(booking, actor);
    if (party === null || party === 'system') throw new Failure('not_found');
    assertVersion(booking, input);
    assertOpen(context, booking, party);
    if ((input.questions_version ?? asked.sessionVersion) !== asked.sessionVersion)
      throw new Failure('questions_changed');
    const by = { at: now, by: party, isKnown: asked.isKnown === 1 };
    const after = answered(questionsIn(asked.questions), answersIn(booking.answers), input.answers, by);
    if ('issues' in after) throw new Failure('validation_failed', { issues: after.issues });
    const answers =
      booking.answers === null && after.answers.length === 0 ? null : JSON.stringify(after.answers);
    if (answers === booking.answers) return questionsView(booking, asked);
    const next = {
      ...booking,
      answers,
      version: booking.version + 1,
      writeId: deps.newId(),
      updatedAt: now,
    };
    const guards = {
      ...toWriter(context, { id: booking.id, writeId: next.writeId, key: null }),
      version: booking.version,
      startsAt: booking.startsAt,
      maxAnHour: limitOfWriting(context, party),
    };
    const { sessionId } = booking;
    const why = await commitChange(
      deps,
      [changeAnswers(deps.db, { ...guards, sessionId, sessionVersion: asked.sessionVersion, answers })],
      changeTo(context, 'booking.answered', party, booking, next),
      null,
      explainWritten(deps.db, guards),
    );
    if (why?.written) return questionsView(next, asked);
    if (why !== undefined) refuseWriting(context, guards.maxAnHour, why);
    const again = await runAll(deps.db, {
      found: findBooking(deps.db, { id: first.id, accountId: actor.userId }),
      asked: findAsked(deps.db, { bookingId: first.id }),
    });
    [latest] = again.found;
    [asked] = again.asked;
    return overtaken;
  });
};
