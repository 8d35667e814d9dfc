import { Failure } from '../../../core/endpoint/errors.ts';
import type { Mount } from '../../handler.ts';
import { findAsked } from '../record/answer-queries.ts';
import { namedBooking } from '../record/resource.ts';
import { partyOfActor, seenBy } from '../record/rules.ts';
import { putAnswers, questionsView } from './actions.ts';
import * as contract from './contract.ts';

export const mountQuestions = (mount: Mount): void => {
  mount(contract.GetAnswers, {
    resource: namedBooking,
    reads: ({ deps, params }) => findAsked(deps.db, { bookingId: params.id }),
    answer: ({ actor }, [asked], booking) => {
      if (asked === undefined) throw new Failure('not_found');
      const seen = seenBy(partyOfActor(booking, actor), booking);
      return { status: 200, data: questionsView(booking, asked), seen };
    },
  });
  mount(contract.PutAnswers, {
    resource: namedBooking,
    reads: ({ deps, params }) => findAsked(deps.db, { bookingId: params.id }),
    answer: async (context, [asked], booking) => {
      const data = await putAnswers(context, context.body, booking, asked);
      // Answers that were the same have no event that records who saw them.
      const party = partyOfActor(booking, context.actor);
      const seen = data.version === booking.version ? seenBy(party, booking) : null;
      return { status: 200, message: 'changed', data, seen };
    },
  });
};
