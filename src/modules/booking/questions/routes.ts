import { run } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { Mount } from '../../handler.ts';
import { type AskedRow, findAsked, findQuestions } from '../record/answer-queries.ts';
import { anyBooking, changedBooking, isArchived } from '../record/resource.ts';
import { partyOfActor, seenBy } from '../record/rules.ts';
import { putAnswers, questionsView } from './actions.ts';
import * as contract from './contract.ts';

/** What the session of an archived booking asks; its patient has been here. */
const askedOfArchived = async ({ db }: Deps, sessionId: string): Promise<AskedRow | undefined> => {
  const [asked] = await run(db, findQuestions(db, { sessionId }));
  return asked && { ...asked, isKnown: 1 };
};

export const mountQuestions = (mount: Mount): void => {
  mount(contract.GetAnswers, {
    resource: anyBooking,
    reads: ({ deps, params }) => findAsked(deps.db, { bookingId: params.id }),
    answer: async ({ deps, actor }, [standing], booking) => {
      const asked = isArchived(booking) ? await askedOfArchived(deps, booking.sessionId) : standing;
      if (asked === undefined) throw new Failure('not_found');
      const seen = seenBy(partyOfActor(booking, actor), booking);
      return { status: 200, data: questionsView(booking, asked), seen };
    },
  });
  mount(contract.PutAnswers, {
    resource: changedBooking,
    reads: ({ deps, params }) => findAsked(deps.db, { bookingId: params.id }),
    answer: async (context, [asked], booking) => {
      const data = await putAnswers(context, context.body, booking, asked);
      // Answers that were the same have no event that records who saw them.
      const party = partyOfActor(booking, context.actor);
      const seen = data.version === booking.version ? seenBy(party, booking) : null;
      return { status: 200, data, seen };
    },
  });
};
