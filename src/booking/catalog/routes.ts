import { Failure } from '../../errors.ts';
import { withETag } from '../../http/etag.ts';
import type { Mount } from '../../http/mount.ts';
import { namePage, pageOf } from '../../http/page.ts';
import * as contract from './contract.ts';
import { findDoctor, findDoctors, findSessions } from './queries.ts';
import { slotsAnswer } from './slots.ts';

export const mountCatalog = (mount: Mount): void => {
  mount(contract.ListDoctors, {
    reads: ({ deps, query }) => {
      const prefix = query.q?.toLowerCase() ?? null;
      const wanted = {
        prefix,
        prefixEnd: prefix === null ? null : `${prefix}\u{10ffff}`,
        sessionId: query.session_id ?? null,
      };
      return [findDoctors(deps.db, { ...namePage(query), ...wanted })] as const;
    },
    answer: ({ query, header }, [rows]) => {
      const { shown, ...page } = pageOf(rows, contract.ListDoctors.path, query, ({ name, id }) => [name, id]);
      return withETag(header, { status: 200, data: shown, ...page });
    },
  });
  mount(contract.GetDoctor, {
    reads: ({ deps, params }) => [findDoctor(deps.db, { doctorId: params.id })] as const,
    answer: ({ header }, [[doctor]]) => {
      if (doctor === undefined || doctor.retiredAt !== null) throw new Failure('not_found');
      const { id, name, title, specialty } = doctor;
      return withETag(header, { status: 200, data: { id, name, title, specialty } });
    },
  });
  mount(contract.ListSessions, {
    reads: ({ deps, query }) => [findSessions(deps.db, namePage(query))] as const,
    answer: ({ query, header }, [rows]) => {
      const { shown, ...page } = pageOf(rows, contract.ListSessions.path, query, ({ name, id }) => [
        name,
        id,
      ]);
      return withETag(header, { status: 200, data: shown, ...page });
    },
  });
  mount(contract.ListSlots, {
    answer: async ({ deps, now, params, query, header }) =>
      withETag(header, { status: 200, ...(await slotsAnswer(deps, now, params.id, query)) }),
  });
};
