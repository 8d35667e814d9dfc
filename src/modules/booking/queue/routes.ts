import type { Deps } from '../../../core/deps.ts';
import { withETag } from '../../../core/http/etag.ts';
import { findDoctor } from '../../catalog/slots/queries.ts';
import type { Mount } from '../../handler.ts';
import * as contract from './contract.ts';
import { callNext, nextReads } from './next.ts';
import { nothing, setNotice } from './notice.ts';
import { setPrefix } from './prefix.ts';
import { findDoctorTurns, findNotices, findQueues, findTurns } from './queries.ts';
import { queueCache, queuesView, timeWithin } from './views.ts';

const doctorResource = {
  read: ({ deps, params }: { deps: Deps; params: { id: string } }) =>
    findDoctor(deps.db, { doctorId: params.id }),
  visible: () => true,
};

export const mountQueues = (mount: Mount): void => {
  mount(contract.GetQueues, {
    reads: ({ deps, now, query }) => {
      const date = query.date ?? deps.clinicTime.dateOf(now);
      const wanted = { date, doctorId: query.doctor_id ?? null, sessionId: query.session_id ?? null };
      const turns = wanted.doctorId === null ? findTurns : findDoctorTurns;
      return {
        queues: findQueues(deps.db, wanted),
        turns: turns(deps.db, wanted),
        notices: findNotices(deps.db, wanted),
      };
    },
    answer: async ({ deps: { clinicTime }, now, query, header }, rows) => {
      const date = query.date ?? clinicTime.dateOf(now);
      const data = queuesView(rows, { date, time: timeWithin(clinicTime, date, now) });
      const meta = { date, time_zone: clinicTime.zone };
      const answer = await withETag(header, { status: 200 as const, data, meta }, queueCache);
      if (answer.status === 304) return answer;
      return { ...answer, meta: { ...meta, server_time: new Date(now).toISOString() } };
    },
  });
  mount(contract.CallNext, {
    resource: doctorResource,
    reads: ({ deps, now, params, body }) =>
      nextReads(deps, now, { doctorId: params.id, sessionId: body.session_id ?? null }),
    answer: async (context, there) => {
      const queue = { doctorId: context.params.id, sessionId: context.body.session_id ?? null };
      return { status: 200, data: await callNext(context, queue, there) };
    },
  });
  mount(contract.SetNotice, {
    resource: doctorResource,
    answer: async (context) => ({
      status: 200,
      data: await setNotice(context, context.params.id, context.body),
    }),
  });
  mount(contract.RemoveNotice, {
    resource: doctorResource,
    answer: async (context) => {
      const { deps, now, params, query } = context;
      const date = query.date ?? deps.clinicTime.dateOf(now);
      await setNotice(context, params.id, { date, ...nothing });
      return { status: 200 };
    },
  });
  mount(contract.SetQueuePrefix, {
    resource: doctorResource,
    answer: async (context) => ({
      status: 200,
      data: await setPrefix(context, context.params.id, context.body),
    }),
  });
};
