import * as z from 'zod/mini';
import type { Deps } from '../../../core/deps.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import { once } from '../../../core/endpoint/once.ts';
import { buildPage, type PageQuery, pageStart } from '../../../core/http/page.ts';
import { findUserById } from '../../auth/login/queries.ts';
import type { Mount } from '../../handler.ts';
import { namedBooking } from '../record/resource.ts';
import { partyOfActor, seenBy } from '../record/rules.ts';
import { buildPath, endFeed, type Feed, feedFile, feedView, makeFeed } from './actions.ts';
import * as contract from './contract.ts';
import { newLink } from './link.ts';
import { findFeed, findFeeds } from './queries.ts';

const agePosition = once(() => z.tuple([z.int(), z.string()]));

const feedsPage = (deps: Deps, userId: string, query: PageQuery) => {
  const { position, limit } = pageStart(query, agePosition, [Number.MAX_SAFE_INTEGER, '']);
  const [beforeAt, beforeId] = position;
  return findFeeds(deps.db, { userId, beforeAt, beforeId, limit });
};

const showPage = (rows: readonly Feed[], path: string, query: PageQuery) => {
  const { shown, ...page } = buildPage(rows, path, query, ({ createdAt, id }) => [createdAt, id]);
  return { data: shown.map(feedView), ...page };
};

export const mountFeeds = (mount: Mount): void => {
  mount(contract.MakeCalendarFeed, {
    answer: async (context) => ({
      status: 201,
      data: await makeFeed(context, context.body.details),
    }),
  });
  mount(contract.ListCalendarFeeds, {
    reads: ({ deps, caller, query }) => feedsPage(deps, caller.userId, query),
    answer: ({ query }, feeds) => ({
      status: 200,
      ...showPage(feeds, contract.ListCalendarFeeds.path, query),
    }),
  });
  mount(contract.EndCalendarFeed, {
    resource: {
      read: ({ deps, params }) => findFeed(deps.db, params),
      visible: ({ userId }, actor) => userId === actor.userId,
    },
    answer: async (context, _rows, feed) => {
      await endFeed(context, feed);
      return { status: 200 };
    },
  });
  const namedPerson = {
    read: ({ deps, params }: { deps: Deps; params: { id: string } }) => findUserById(deps.db, params),
    visible: () => true,
  };
  mount(contract.ListPersonFeeds, {
    resource: namedPerson,
    reads: ({ deps, params, query }) => feedsPage(deps, params.id, query),
    answer: ({ query }, feeds, { id, role }) => ({
      status: 200,
      ...showPage(feeds, contract.ListPersonFeeds.path.replace('{id}', id), query),
      seen: role === 'patient' ? id : null,
    }),
  });
  mount(contract.EndPersonFeed, {
    resource: {
      read: ({ deps, params }) => findFeed(deps.db, { id: params.feed_id }),
      visible: () => true,
    },
    answer: async (context, _rows, feed) => {
      if (feed.userId !== context.params.id) throw new Failure('not_found');
      await endFeed(context, feed);
      return { status: 200 };
    },
  });
  mount(contract.GetCalendarLink, {
    resource: namedBooking,
    answer: async ({ deps, now, actor, language }, _rows, booking) => {
      const { token, expiresAt } = await newLink(
        deps.tokenKeys,
        { bookingId: booking.id, language, userId: actor.userId },
        now,
      );
      return {
        status: 200,
        data: { path: buildPath(token), expires_at: toIso(expiresAt) },
        seen: seenBy(partyOfActor(booking, actor), booking),
      };
    },
  });
  mount(contract.GetCalendarFeed, {
    answer: (request) => feedFile(request, request.params.token),
  });
};
