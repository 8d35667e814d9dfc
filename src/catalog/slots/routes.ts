import type { Deps } from '../../deps.ts';
import { Failure } from '../../endpoint/errors.ts';
import type { Mount } from '../../handler.ts';
import { withETag } from '../../http/etag.ts';
import { namePage, pageOf } from '../../http/page.ts';
import { wordEnd } from '../../search/queries.ts';
import { termsOf } from '../../search/rules.ts';
import * as contract from './contract.ts';
import { findDoctor, findDoctors, findSessions, searchDoctors } from './queries.ts';
import { slotsAnswer } from './slots.ts';

type Wanted = Parameters<typeof findDoctors>[1];

const searchFor = ({ db }: Deps, wanted: Wanted, typed: string) => {
  const terms = termsOf(typed);
  const [term = ''] = terms;
  return searchDoctors(db, { ...wanted, term, termEnd: term + wordEnd, terms: JSON.stringify(terms) });
};

const slotsCache = { 'Cache-Control': 'public, max-age=0, s-maxage=2' };
const namesCache = { 'Cache-Control': 'public, max-age=0, s-maxage=60' };

export const mountCatalog = (mount: Mount): void => {
  mount(contract.ListDoctors, {
    reads: ({ deps, now, query }) => {
      const today = deps.clinicTime.dateOf(now);
      const wanted = { ...namePage(query), sessionId: query.session_id ?? null, today };
      return [
        query.q === undefined ? findDoctors(deps.db, wanted) : searchFor(deps, wanted, query.q),
      ] as const;
    },
    answer: ({ query, header }, [rows]) => {
      const { shown, ...page } = pageOf(rows, contract.ListDoctors.path, query, ({ name, id }) => [name, id]);
      return withETag(header, { status: 200, data: shown, ...page }, namesCache);
    },
  });
  mount(contract.GetDoctor, {
    reads: ({ deps, params }) => [findDoctor(deps.db, { doctorId: params.id })] as const,
    answer: ({ header }, [[doctor]]) => {
      if (doctor === undefined || doctor.retiredAt !== null) throw new Failure('not_found');
      const { id, name, title, specialty } = doctor;
      return withETag(header, { status: 200, data: { id, name, title, specialty } }, namesCache);
    },
  });
  mount(contract.ListSessions, {
    reads: ({ deps, query }) => [findSessions(deps.db, namePage(query))] as const,
    answer: ({ query, header }, [rows]) => {
      const { shown, ...page } = pageOf(rows, contract.ListSessions.path, query, ({ name, id }) => [
        name,
        id,
      ]);
      return withETag(header, { status: 200, data: shown, ...page }, namesCache);
    },
  });
  mount(contract.ListSlots, {
    answer: async ({ deps, now, params, query, header }) =>
      withETag(header, { status: 200, ...(await slotsAnswer(deps, now, params.id, query)) }, slotsCache),
  });
};
