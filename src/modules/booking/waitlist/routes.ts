import * as z from 'zod/mini';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { once } from '../../../core/endpoint/once.ts';
import { buildPage, pageStart } from '../../../core/http/page.ts';
import type { AnyActor } from '../../auth/context.ts';
import type { Mount } from '../../handler.ts';
import { findBookable } from '../../patients/record/queries.ts';
import { acceptOffer, declineOffer, offerReads } from './accept.ts';
import * as contract from './contract.ts';
import { entryView, isDesk, joinWaitlist, leaveWaitlist, orderWaitlist } from './entries.ts';
import { type Entry, findEntry, findNames, findOwn, findWaiting } from './queries.ts';

interface Asking {
  deps: Deps;
  now: number;
  params: { id: string };
  caller: { userId: string };
}

/** An entry that a path names, for the patient, the family and the desk. */
const namedEntry = {
  read: ({ deps, now, params, caller }: Asking) =>
    findEntry(deps.db, { id: params.id, accountId: caller.userId, now }),
  visible: (entry: Entry, actor: AnyActor) =>
    isDesk(actor) || entry.patientId === actor.userId || entry.isFamily === 1,
};

/** The same for the doctor whose seat is offered to it, or was: an answer that is sent again is answered again. */
const answeredEntry = {
  ...namedEntry,
  visible: (entry: Entry, actor: AnyActor) =>
    namedEntry.visible(entry, actor) || (actor.role === 'doctor' && entry.isOfferedWithDoctor === 1),
};

const offered = ({ deps, now, params, caller }: Asking) =>
  offerReads({ deps, now }, params.id, caller.userId);

const position = once(() => z.tuple([z.string(), z.int(), z.string()]));
const agePosition = once(() => z.tuple([z.int(), z.string()]));

export const mountWaitlist = (mount: Mount): void => {
  mount(contract.JoinWaitlist, {
    reads: ({ deps, body, caller }) => ({
      patients: findBookable(deps.db, {
        id: body.patient_id ?? caller.userId,
        accountId: caller.userId,
        doctorId: null,
      }),
      names: findNames(deps.db, {
        patientId: body.patient_id ?? caller.userId,
        sessionId: body.session_id,
        doctorId: body.doctor_id ?? null,
      }),
    }),
    answer: async (context, { patients: [patient], names: [names] }) => {
      const data = await joinWaitlist(context, context.body, patient, names);
      const headers = { Location: `${contract.JoinWaitlist.path}/${data.id}` };
      return { status: 201, data, headers };
    },
  });
  mount(contract.ListWaitlist, {
    reads: ({ deps, now, caller, query }) => {
      const { position: after, limit } = pageStart(query, agePosition, [0, '']);
      const [afterAt, afterId] = after;
      return findOwn(deps.db, { accountId: caller.userId, now, afterAt, afterId, limit });
    },
    answer: ({ query }, rows) => {
      const { path } = contract.ListWaitlist;
      const { shown, ...page } = buildPage(rows, path, query, ({ createdAt, id }) => [createdAt, id]);
      return { status: 200, data: shown.map(entryView), ...page };
    },
  });
  mount(contract.LeaveWaitlist, {
    resource: namedEntry,
    answer: async (context) => {
      await leaveWaitlist(context, context.params.id);
      return { status: 200 };
    },
  });
  mount(contract.AcceptOffer, {
    resource: answeredEntry,
    reads: offered,
    answer: async (context, rows) => ({
      status: 200,
      data: await acceptOffer(context, context.params.id, context.body.booking_id, rows),
    }),
  });
  mount(contract.DeclineOffer, {
    resource: answeredEntry,
    reads: offered,
    answer: async (context, { offers: [offer] }) => {
      const { booking_id } = context.body;
      if (booking_id !== undefined && booking_id !== offer?.id) throw new Failure('no_offer');
      await declineOffer(context, offer, false);
      return { status: 200 };
    },
  });
  mount(contract.ListWaiting, {
    reads: ({ deps, now, query }) => {
      const { position: after, limit } = pageStart(query, position, ['', 0, '']);
      const [afterSession, afterPosition, afterId] = after;
      const sessionId = query.session_id ?? null;
      return findWaiting(deps.db, { sessionId, now, afterSession, afterPosition, afterId, limit });
    },
    answer: ({ query }, rows) => {
      const { shown, ...page } = buildPage(rows, contract.ListWaiting.path, query, (row) => [
        row.sessionId,
        row.position,
        row.id,
      ]);
      return { status: 200, data: shown.map(entryView), ...page };
    },
  });
  mount(contract.OrderWaitlist, {
    resource: namedEntry,
    answer: async (context, _rows, entry) => {
      if (entry.endedAt !== null) throw new Failure('not_found');
      await orderWaitlist(context, entry.id, context.body);
      return { status: 200 };
    },
  });
};
