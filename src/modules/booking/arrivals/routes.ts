import { findClinic } from '../../catalog/slots/queries.ts';
import type { Mount } from '../../handler.ts';
import { anyBooking } from '../record/resource.ts';
import { checkInAtKiosk, checkInByPoster, makePoster } from './actions.ts';
import * as contract from './contract.ts';

export const mountCheckIns = (mount: Mount): void => {
  mount(contract.CheckInAtKiosk, {
    reads: ({ deps }) => findClinic(deps.db, {}),
    answer: (context, [clinic]) => checkInAtKiosk(context, context.body, clinic),
  });
  mount(contract.CheckInByPoster, {
    resource: anyBooking,
    reads: ({ deps }) => findClinic(deps.db, {}),
    answer: async (context, [clinic], booking) => ({
      status: 200,
      data: await checkInByPoster(context, context.body.poster, clinic, booking),
    }),
  });
  mount(contract.GetPoster, {
    reads: ({ deps }) => findClinic(deps.db, {}),
    answer: (_context, [clinic]) => ({ status: 200, data: { secret: clinic?.posterSecret ?? null } }),
  });
  mount(contract.MakePoster, {
    answer: async (context) => ({ status: 200, data: await makePoster(context) }),
  });
};
