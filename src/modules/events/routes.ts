import type { Mount } from '../handler.ts';
import * as contract from './contract.ts';
import { awaitEvents, eventsAnswer, eventsRead } from './read.ts';

export const mountEvents = (mount: Mount): void =>
  mount(contract.ListEvents, {
    reads: ({ deps, query }) => eventsRead(deps, query),
    answer: async (context, first) => {
      const { query } = context;
      return eventsAnswer(query, await awaitEvents(context, query, first));
    },
  });
