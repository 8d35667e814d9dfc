import * as z from 'zod/mini';
import type { Db } from '../../core/db/db.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { once } from '../../core/endpoint/once.ts';
import { buildPage, type PageQuery, pageStart } from '../../core/http/page.ts';
import { toAuthor } from '../auth/audit/queries.ts';
import type { Mount } from '../handler.ts';
import * as actions from './actions.ts';
import * as contract from './contract.ts';
import { findDeliveries, findDelivery, findEndpoint, findEndpoints } from './queries.ts';
import { deliveryDetail, deliveryView, webhookView } from './views.ts';

const webhook = {
  read: ({ deps, params }: { deps: { db: Db }; params: { id: string } }) =>
    findEndpoint(deps.db, { id: params.id }),
  visible: () => true,
};

const agePosition = once(() => z.tuple([z.number(), z.string()]));
const sequencePosition = once(() => z.tuple([z.number()]));

const agePage = (query: PageQuery) => {
  const { position, limit } = pageStart(query, agePosition, [-1, '']);
  const [afterAt, afterId] = position;
  return { afterAt, afterId, limit };
};

const sequencePage = (query: PageQuery) => {
  const { position, limit } = pageStart(query, sequencePosition, [Number.MAX_SAFE_INTEGER]);
  const [before] = position;
  return { before, limit };
};

export const mountWebhooks = (mount: Mount): void => {
  mount(contract.ListWebhooks, {
    reads: ({ deps, query }) => findEndpoints(deps.db, agePage(query)),
    answer: ({ query }, rows) => {
      const { path } = contract.ListWebhooks;
      const { shown, ...page } = buildPage(rows, path, query, ({ createdAt, id }) => [createdAt, id]);
      return { status: 200, data: shown.map(webhookView), ...page };
    },
  });
  mount(contract.CreateWebhook, {
    answer: async (context) => {
      const data = await actions.createWebhook(
        context.deps,
        toAuthor(context),
        context.body,
        context.toStoredResponse,
      );
      const headers = { Location: `${contract.CreateWebhook.path}/${data.id}` };
      return { status: 201, data, headers };
    },
  });
  mount(contract.GetWebhook, {
    resource: webhook,
    answer: (_context, _rows, row) => ({ status: 200, data: webhookView(row) }),
  });
  mount(contract.ChangeWebhook, {
    resource: webhook,
    answer: async (context, _rows, row) => ({
      status: 200,
      data: await actions.changeWebhook(context.deps, toAuthor(context), row, context.body),
    }),
  });
  mount(contract.RotateWebhookSecret, {
    resource: webhook,
    answer: async (context) => ({
      status: 200,
      data: await actions.rotateWebhookSecret(
        context.deps,
        toAuthor(context),
        context.params.id,
        context.toStoredResponse,
      ),
    }),
  });
  mount(contract.RetireWebhook, {
    resource: webhook,
    answer: async (context) => {
      await actions.retireWebhook(context.deps, toAuthor(context), context.params.id);
      return { status: 200 };
    },
  });
  mount(contract.ListDeliveries, {
    resource: webhook,
    reads: ({ deps, params, query }) =>
      findDeliveries(deps.db, {
        endpointId: params.id,
        status: query.status ?? null,
        ...sequencePage(query),
      }),
    answer: ({ params, query, now }, rows) => {
      const path = contract.ListDeliveries.path.replace('{id}', params.id);
      const { shown, ...page } = buildPage(rows, path, query, ({ sequence }) => [sequence]);
      return { status: 200, data: shown.map((row) => deliveryView(row, now)), ...page };
    },
  });
  mount(contract.GetDelivery, {
    resource: webhook,
    reads: ({ deps, params }) =>
      [findDelivery(deps.db, { endpointId: params.id, id: params.delivery_id })] as const,
    answer: async ({ deps, now }, [[row]]) => {
      if (row === undefined) throw new Failure('not_found');
      return { status: 200, data: await deliveryDetail(deps, row, now) };
    },
  });
  mount(contract.TestWebhook, {
    resource: webhook,
    answer: async (context, _rows, row) => {
      const data = await actions.testWebhook(context.deps, toAuthor(context), row, context.toStoredResponse);
      const message = data.delivered ? 'webhook_test_received' : 'webhook_test_failed';
      return { status: 200, data, message };
    },
  });
  mount(contract.ReplayDelivery, {
    resource: webhook,
    answer: async (context) => {
      await actions.replayDelivery(
        context.deps,
        toAuthor(context),
        context.params.id,
        context.params.delivery_id,
        context.toStoredResponse,
      );
      return { status: 202 };
    },
  });
  mount(contract.ReplayRange, {
    resource: webhook,
    answer: async (context) => ({
      status: 202,
      data: await actions.replayEvents(
        context.deps,
        toAuthor(context),
        context.params.id,
        context.body,
        context.toStoredResponse,
      ),
    }),
  });
};
