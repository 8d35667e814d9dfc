import * as z from 'zod/mini';
import type { Db } from '../../core/db/db.ts';
import { runAll } from '../../core/db/db.ts';
import { once } from '../../core/endpoint/once.ts';
import { buildPage, pageStart } from '../../core/http/page.ts';
import { storeOnly } from '../../core/idempotency/queries.ts';
import { changeEvent, recordSecurityEvent, toAuthor } from '../auth/audit/queries.ts';
import type { Mount } from '../handler.ts';
import * as contract from './contract.ts';
import { endRest, findBacklog, findStep, findSteps, leaveSteps, retrySteps } from './list-queries.ts';
import { listTargets } from './outbox/targets.ts';
import { stepView, systemView } from './views.ts';

const step = {
  read: ({ deps, params }: { deps: { db: Db }; params: { id: string } }) =>
    findStep(deps.db, { id: params.id }),
  visible: () => true,
};

const position = once(() => z.tuple([z.number()]));

export const mountExchanges = (mount: Mount): void => {
  mount(contract.ListExchanges, {
    reads: ({ deps: { db, config }, query }) => {
      const { position: after, limit } = pageStart(query, position, [0]);
      const targets = JSON.stringify(listTargets(config).map(({ name }) => name));
      const { state = null, system: target = null } = query;
      return {
        steps: findSteps(db, { state, target, after: after[0], limit }),
        backlog: findBacklog(db, { targets }),
      };
    },
    answer: ({ query, language, now }, { steps, backlog }) => {
      const { path } = contract.ListExchanges;
      const { shown, meta, headers } = buildPage(steps, path, query, (row) => [row.position]);
      const systems = backlog.map((row) => systemView(row, language, now));
      return {
        status: 200,
        data: shown.map((row) => stepView(row, language)),
        meta: { ...meta, systems },
        headers,
      };
    },
  });
  mount(contract.RetryExchange, {
    resource: step,
    answer: async (context, _rows, { id, target }) => {
      const { deps, now, toStoredResponse } = context;
      const event = changeEvent(deps, toAuthor(context), 'exchange_retried', { exchange_id: id });
      const response = { status: 202 } as const;
      deps.rests.delete(target);
      await runAll(deps.db, {
        steps: retrySteps(deps.db, { ids: JSON.stringify([id]), now }),
        rest: endRest(deps.db, { target }),
        recorded: recordSecurityEvent(deps.db, event),
        response: storeOnly(deps.db, event, toStoredResponse(response)),
      });
      return response;
    },
  });
  mount(contract.LeaveExchange, {
    resource: step,
    answer: async (context, _rows, { id }) => {
      const { deps, toStoredResponse } = context;
      const event = changeEvent(deps, toAuthor(context), 'exchange_left', { exchange_id: id });
      const response = { status: 200 } as const;
      await runAll(deps.db, {
        steps: leaveSteps(deps.db, { ids: JSON.stringify([id]) }),
        recorded: recordSecurityEvent(deps.db, event),
        response: storeOnly(deps.db, event, toStoredResponse(response)),
      });
      return response;
    },
  });
};
