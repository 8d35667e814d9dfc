import { Failure } from '../../core/endpoint/errors.ts';
import { bookingMessage } from '../../core/endpoint/messages.ts';
import { nextLink } from '../../core/http/cursor.ts';
import type { Answer } from '../../core/http/respond.ts';
import { findClinic } from '../catalog/slots/queries.ts';
import type { Mount } from '../handler.ts';
import { changeBooking } from './changes/change.ts';
import * as contract from './changes/contract.ts';
import { bookingReads, createBooking } from './changes/create.ts';
import { editBooking } from './changes/edit.ts';
import { movingReads, rescheduleBooking } from './changes/reschedule.ts';
import { findFamilyNames } from './feeds/queries.ts';
import { namedHold } from './holds/secret.ts';
import { findSurroundings, findTurnsBeside } from './queue/queries.ts';
import { placeView } from './queue/views.ts';
import { calendarAnswer } from './reading/calendar-file.ts';
import * as reading from './reading/contract.ts';
import { type HistoryPage, historyAnswer, historyRead } from './reading/history.ts';
import { archivedTimeline, timelinePage, timelineRead } from './reading/timeline.ts';
import { patientOfArchived } from './record/archived.ts';
import { findBookingPatient } from './record/queries.ts';
import { anyBooking, changedBooking, isArchived } from './record/resource.ts';
import { partyOfActor, seenBy } from './record/rules.ts';
import { detailView } from './record/views.ts';

export const mountBookings = (mount: Mount): void => {
  mount(contract.CreateBooking, {
    reads: ({ deps, now, body, caller }) => bookingReads(deps, now, caller.userId, body),
    answer: async (context, first) => {
      const data = await createBooking(context, context.body, first, await namedHold(context));
      return {
        status: 201,
        message: bookingMessage('booking_created', data.status),
        data,
        headers: { Location: `/v1/bookings/${data.id}` },
      };
    },
  });
  mount(reading.GetHistory, {
    reads: ({ deps, now, caller, query }) => historyRead(deps, now, caller.userId, query),
    answer: (context, rows) => {
      const { actor, query } = context;
      const answerWith = ({ data, nextCursor }: HistoryPage): Answer<200> => {
        const headers = nextLink(reading.GetHistory.path, query, nextCursor);
        return { status: 200, data, meta: { next_cursor: nextCursor }, headers };
      };
      const page = historyAnswer(context, actor, rows, query);
      return page instanceof Promise ? page.then(answerWith) : answerWith(page);
    },
  });
  mount(reading.GetBooking, {
    resource: anyBooking,
    reads: ({ deps, now, params }) => ({
      patients: findBookingPatient(deps.db, params),
      turns: findTurnsBeside(deps.db, { ...params, date: deps.clinicTime.dateOf(now) }),
      around: findSurroundings(deps.db, params),
    }),
    answer: (context, { patients: [standing], turns, around }, booking) => {
      const party = partyOfActor(booking, context.actor) ?? 'patient';
      const patient = isArchived(booking) ? patientOfArchived(booking) : standing;
      if (patient === undefined) throw new Failure('not_found');
      return {
        status: 200,
        data: {
          ...detailView(context, booking, party),
          ...placeView(booking, turns, around, context.now),
          to_answer: booking.toAnswer ?? null,
          patient,
        },
        seen: seenBy(party, booking),
      };
    },
  });
  mount(reading.GetBookingEvents, {
    resource: anyBooking,
    reads: ({ deps, params, query }) => timelineRead(deps, params.id, query),
    answer: async ({ deps, actor, query }, rows, booking) => {
      const party = partyOfActor(booking, actor) ?? 'patient';
      const found = isArchived(booking) ? await archivedTimeline(deps, booking.id, query) : rows;
      const { shown, ...page } = timelinePage(found, booking.id, query, party);
      return { status: 200, data: shown, ...page, seen: seenBy(party, booking) };
    },
  });
  mount(reading.GetBookingCalendar, {
    resource: anyBooking,
    reads: ({ deps, caller }) => ({
      clinics: findClinic(deps.db, {}),
      family: findFamilyNames(deps.db, { accountId: caller.userId }),
    }),
    answer: ({ language, actor }, { clinics: [clinic], family }, booking) => ({
      ...calendarAnswer([booking], `janji-${booking.bookingCode}`, {
        language,
        details: true,
        clinic,
        family,
      }),
      seen: seenBy(partyOfActor(booking, actor), booking),
    }),
  });
  mount(contract.CancelBooking, {
    resource: changedBooking,
    answer: async (context, _rows, booking) => ({
      status: 200,
      data: await changeBooking(context, 'cancel', context.body, booking, {
        view: ({ id }) => ({ id, status: 'canceled' as const }),
      }),
    }),
  });
  mount(contract.EditBooking, {
    resource: changedBooking,
    answer: async (context, _rows, booking) => ({
      status: 200,
      data: await editBooking(context, context.body, booking),
    }),
  });
  mount(contract.RescheduleBooking, {
    resource: changedBooking,
    reads: ({ deps, params, body }) => movingReads(deps, params.id, body),
    answer: async (context, rows, booking) => {
      const data = await rescheduleBooking(context, context.body, booking, rows);
      // One that stays in its slot has no event that records who saw it.
      const seen = data.version === booking.version ? booking.patientId : null;
      return { status: 200, message: bookingMessage('booking_rescheduled', data.status), data, seen };
    },
  });
};
