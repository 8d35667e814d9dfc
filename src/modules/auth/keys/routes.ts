import * as z from 'zod/mini';
import type { Db } from '../../../core/db/db.ts';
import { once } from '../../../core/endpoint/once.ts';
import { buildPage, pageStart } from '../../../core/http/page.ts';
import type { Mount } from '../../handler.ts';
import { toAuthor } from '../audit/queries.ts';
import * as actions from './actions.ts';
import * as contract from './contract.ts';
import { findKey, findKeys } from './queries.ts';

const namedKey = {
  read: ({ deps, params }: { deps: { db: Db }; params: { id: string } }) =>
    findKey(deps.db, { id: params.id }),
  visible: () => true,
};

const agePosition = once(() => z.tuple([z.number(), z.string()]));

export const mountKeys = (mount: Mount): void => {
  mount(contract.ListApiKeys, {
    reads: ({ deps, query }) => {
      const { position, limit } = pageStart(query, agePosition, [Number.MAX_SAFE_INTEGER, '']);
      const [beforeAt, beforeId] = position;
      return findKeys(deps.db, { beforeAt, beforeId, limit });
    },
    answer: ({ now, query }, rows) => {
      const { path } = contract.ListApiKeys;
      const { shown, ...page } = buildPage(rows, path, query, ({ createdAt, id }) => [createdAt, id]);
      return { status: 200, data: shown.map((row) => actions.keyView(row, now)), ...page };
    },
  });
  mount(contract.CreateApiKey, {
    answer: async (context) => {
      const { deps, body, toStoredResponse } = context;
      const data = await actions.createKey(deps, toAuthor(context), body, toStoredResponse);
      const headers = { Location: `${contract.CreateApiKey.path}/${data.id}` };
      return { status: 201, data, headers };
    },
  });
  mount(contract.GetApiKey, {
    resource: namedKey,
    answer: ({ now }, _rows, row) => ({ status: 200, data: actions.keyView(row, now) }),
  });
  mount(contract.ChangeApiKey, {
    resource: namedKey,
    answer: async (context) => ({
      status: 200,
      data: await actions.changeKey(context.deps, toAuthor(context), context.params.id, context.body),
    }),
  });
  mount(contract.RevokeApiKey, {
    resource: namedKey,
    answer: async (context) => {
      await actions.revokeKey(context.deps, toAuthor(context), context.params.id);
      return { status: 200 };
    },
  });
};
