import * as z from 'zod/mini';
import { once } from '../../../core/endpoint/once.ts';
import { buildPage, pageStart } from '../../../core/http/page.ts';
import { toAuthor } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { createdAt, type NamedRequest, retiring } from '../answers.ts';
import { type Booker, runsBookings } from '../slots/rules.ts';
import * as actions from './actions.ts';
import * as contract from './contract.ts';
import { findSchedule, findSchedulePage } from './queries.ts';

const scheduleResource = {
  read: ({ deps, params }: NamedRequest) => findSchedule(deps.db, params),
  visible: ({ doctorId }: { doctorId: string }, actor: Booker) => runsBookings(doctorId, actor),
};

const schedulePosition = once(() => z.tuple([z.string(), z.number(), z.string(), z.string()]));
const pastEveryId = '~';

export const mountSchedulesAdmin = (mount: Mount): void => {
  mount(contract.ListSchedules, {
    reads: ({ deps, query, caller }) => {
      const { doctor_id } = query;
      const { position, limit } = pageStart(query, schedulePosition, [doctor_id ?? '', 0, '', '']);
      const [afterDoctor, afterWeekday, afterStart, afterId] = position;
      const after = { afterDoctor, afterWeekday, afterStart, afterId };
      const doctors = { firstDoctor: doctor_id ?? '', lastDoctor: doctor_id ?? pastEveryId };
      return findSchedulePage(deps.db, { ...after, ...doctors, accountId: caller.userId, limit });
    },
    answer: ({ query }, rows) => {
      const { shown, ...page } = buildPage(rows, contract.ListSchedules.path, query, (row) => [
        row.doctorId,
        row.weekday,
        row.startTime,
        row.id,
      ]);
      return { status: 200, data: shown.map(actions.scheduleView), ...page };
    },
  });
  mount(contract.CreateSchedule, {
    answer: async ({ deps, body, toStoredResponse, ...context }) => {
      const author = toAuthor(context);
      const { data, meta } = await actions.createSchedule(deps, author, body, toStoredResponse);
      return { ...createdAt(contract.CreateSchedule.path, data), meta };
    },
  });
  mount(contract.GetSchedule, {
    resource: scheduleResource,
    answer: (_context, _rows, row) => ({ status: 200, data: actions.scheduleView(row) }),
  });
  mount(contract.ChangeSchedule, {
    resource: scheduleResource,
    answer: async (context) => ({
      status: 200,
      ...(await actions.changeSchedule(context.deps, toAuthor(context), context.params.id, context.body)),
    }),
  });
  mount(contract.RetireSchedule, {
    resource: scheduleResource,
    answer: async (context) => ({
      status: 200,
      ...(await actions.changeSchedule(context.deps, toAuthor(context), context.params.id, retiring)),
    }),
  });
};
