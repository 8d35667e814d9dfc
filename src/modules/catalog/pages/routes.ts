import { Failure } from '../../../core/endpoint/errors.ts';
import { withETag } from '../../../core/http/etag.ts';
import { toAuthor } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { everybody, type NamedRequest } from '../answers.ts';
import { adminPageView, changePage, pageUrl, removePage } from './actions.ts';
import * as contract from './contract.ts';
import { pageFields } from './fields.ts';
import { findDoctorPage, findPublished } from './queries.ts';
import { readShown } from './shown.ts';

const ofDoctor = {
  read: ({ deps, params }: NamedRequest) => findDoctorPage(deps.db, { doctorId: params.id }),
  visible: everybody,
};

/** Shared caches may answer for a minute. */
const cached = { 'Cache-Control': 'public, max-age=0, s-maxage=60' };

export const mountDoctorPageEndpoints = (mount: Mount): void => {
  mount(contract.GetPageOfDoctor, {
    reads: ({ deps, params }) => findPublished(deps.db, { doctorId: params.id }),
    answer: async ({ deps, now, header }, [found]) => {
      if (found === undefined) throw new Failure('not_found');
      const { doctorId: doctor_id, sessions, photo } = await readShown(deps, now, found, 0);
      const url = pageUrl(deps, found.page.slug);
      const data = { doctor_id, ...pageFields.publicView(found.page), photo, url, sessions };
      return withETag(header, { status: 200, data }, cached);
    },
  });
  mount(contract.GetDoctorPage, {
    resource: ofDoctor,
    answer: ({ deps, params }, _rows, { page, photo }) => ({
      status: 200,
      data: adminPageView(deps, params.id, page, photo),
    }),
  });
  mount(contract.ChangeDoctorPage, {
    resource: ofDoctor,
    answer: async (context) => ({
      status: 200,
      data: await changePage(context.deps, toAuthor(context), context.params.id, context.body),
    }),
  });
  mount(contract.DeleteDoctorPage, {
    resource: ofDoctor,
    answer: async (context) => {
      await removePage(context.deps, toAuthor(context), context.params.id);
      return { status: 200 };
    },
  });
};
