import * as z from 'zod/mini';
import { once } from '../../../core/endpoint/once.ts';
import { buildPage, pageStart } from '../../../core/http/page.ts';
import { toAuthor } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { createdAt, type NamedRequest } from '../answers.ts';
import * as actions from './actions.ts';
import * as contract from './contract.ts';
import { findClosure, findClosurePage } from './queries.ts';
import { maySeeClosure } from './rules.ts';

export const closureResource = {
  read: ({ deps, params }: NamedRequest) => findClosure(deps.db, params),
  visible: maySeeClosure,
};

const closurePosition = once(() => z.tuple([z.string(), z.string()]));
const pastEveryDate = '9999-12-31';

export const mountClosuresAdmin = (mount: Mount): void => {
  mount(contract.ListClosures, {
    reads: ({ deps, query, caller }) => {
      const { kind = null, doctor_id, from = null, to } = query;
      const { position, limit } = pageStart(query, closurePosition, ['', '']);
      const [afterDate, afterId] = position;
      const ofDoctor = { doctorId: doctor_id ?? null, accountId: caller.userId };
      const wanted = { kind, ...ofDoctor, from, to: to ?? pastEveryDate };
      return findClosurePage(deps.db, { afterDate, afterId, ...wanted, limit });
    },
    answer: ({ query }, rows) => {
      const { shown, ...page } = buildPage(rows, contract.ListClosures.path, query, (row) => [
        row.startDate,
        row.id,
      ]);
      return { status: 200, data: shown.map(actions.closureView), ...page };
    },
  });
  mount(contract.CreateClosure, {
    answer: async (context) => {
      actions.assertMayManage({ doctorId: context.body.doctor_id }, context.actor);
      const { data, meta } = await actions.createClosure(
        context.deps,
        toAuthor(context),
        context.body,
        context.toStoredResponse,
      );
      return { ...createdAt(contract.CreateClosure.path, data), meta };
    },
  });
  mount(contract.GetClosure, {
    resource: closureResource,
    answer: async ({ deps, now, actor }, _rows, row) => ({
      status: 200,
      ...(await actions.showClosure(deps, now, actor, row)),
    }),
  });
  mount(contract.ChangeClosure, {
    resource: closureResource,
    answer: async (context, _rows, row) => {
      actions.assertMayManage(row, context.actor);
      const by = toAuthor(context);
      const changed = await actions.changeClosure(context.deps, by, row.id, context.body);
      return { status: 200, ...changed };
    },
  });
  mount(contract.DeleteClosure, {
    resource: closureResource,
    answer: async (context, _rows, row) => {
      actions.assertMayManage(row, context.actor);
      await actions.removeClosure(context.deps, toAuthor(context), row);
      return { status: 200 };
    },
  });
};
