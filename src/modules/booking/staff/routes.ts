import { Failure } from '../../../core/endpoint/errors.ts';
import { withETag } from '../../../core/http/etag.ts';
import type { AnyContext } from '../../auth/context.ts';
import { findDoctor } from '../../catalog/slots/queries.ts';
import type { Mount } from '../../handler.ts';
import { type ChangeInput, changeBooking, type VerbInPlace } from '../changes/change.ts';
import { queueCache } from '../queue/views.ts';
import type { SeenBooking } from '../record/queries.ts';
import { changedBooking } from '../record/resource.ts';
import { detailView } from '../record/views.ts';
import * as contract from './contract.ts';
import { queueReads, queueView } from './queue.ts';

/** Does a verb of the clinic and answers with the booking's details. */
const verb =
  (name: VerbInPlace) =>
  async (context: AnyContext & { body: ChangeInput }, _rows: unknown, booking: SeenBooking) => ({
    status: 200 as const,
    data: await changeBooking(context, name, context.body, booking, {
      view: (row, party) => detailView(context, row, party),
    }),
  });

export const mountClinic = (mount: Mount): void => {
  mount(contract.ApproveBooking, { resource: changedBooking, answer: verb('approve') });
  mount(contract.RejectBooking, { resource: changedBooking, answer: verb('reject') });
  mount(contract.CheckInBooking, {
    resource: changedBooking,
    answer: verb('check-in'),
  });
  mount(contract.CallBooking, { resource: changedBooking, answer: verb('call') });
  mount(contract.SkipBooking, { resource: changedBooking, answer: verb('skip') });
  mount(contract.CompleteBooking, {
    resource: changedBooking,
    answer: verb('complete'),
  });
  mount(contract.NoShowBooking, { resource: changedBooking, answer: verb('no-show') });
  mount(contract.UndoBooking, { resource: changedBooking, answer: verb('undo') });
  mount(contract.GetQueue, {
    reads: ({ deps, now, params, query }) => ({
      doctors: findDoctor(deps.db, { doctorId: params.id }),
      queue: queueReads(deps, {
        doctorId: params.id,
        date: query.date ?? deps.clinicTime.dateOf(now),
        sessionId: query.session_id ?? null,
      }),
    }),
    answer: ({ deps, now, params, query, header }, { doctors: [doctor], queue }) => {
      if (doctor === undefined) throw new Failure('not_found');
      const date = query.date ?? deps.clinicTime.dateOf(now);
      const data = queueView(queue, params.id, query.session_id ?? null, date);
      return withETag(header, { status: 200, data }, queueCache);
    },
  });
};
