import { toAuthor } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { patientDetail } from '../record/views.ts';
import { changePatient, createPatient, lookalikesRead } from './actions.ts';
import { withArchivedVisits } from './archived-visits.ts';
import { patientChangesAnswer, patientChangesRead } from './changes.ts';
import * as contract from './contract.ts';
import { patientBookings, patientBookingsRead } from './patient-bookings.ts';
import { findVisits } from './queries.ts';
import { namedPatient } from './resource.ts';
import { patientsPage } from './search.ts';

export const mountPatients = (mount: Mount): void => {
  mount(contract.FindPatients, { answer: ({ deps, query }) => patientsPage(deps, query) });
  mount(contract.ListPatientChanges, {
    reads: ({ deps, query }) => patientChangesRead(deps, query),
    answer: ({ query }, read) => patientChangesAnswer(query, read),
  });
  mount(contract.CreatePatient, {
    reads: ({ deps, body }) => lookalikesRead(deps, body),
    answer: async (context, alike) => {
      const data = await createPatient({ ...context, by: toAuthor(context) }, context.body, alike);
      const headers = { Location: `${contract.CreatePatient.path}/${data.id}` };
      return { status: 201, data, headers };
    },
  });
  mount(contract.GetPatient, {
    resource: namedPatient,
    reads: ({ deps, now, params, caller }) =>
      findVisits(deps.db, { id: params.id, now, callerId: caller.userId }),
    answer: async ({ deps, actor }, [visits], row) => ({
      status: 200,
      data: await patientDetail(
        deps,
        row,
        await withArchivedVisits(deps, row.id, visits),
        actor.role !== 'doctor',
      ),
      seen: row.id,
    }),
  });
  mount(contract.ChangePatient, {
    resource: namedPatient,
    answer: async (context) => ({
      status: 200,
      data: await changePatient({ ...context, by: toAuthor(context) }, context.params.id, context.body),
    }),
  });
  mount(contract.ListPatientBookings, {
    resource: namedPatient,
    reads: ({ deps, params, caller, query }) => patientBookingsRead(deps, caller.userId, params.id, query),
    answer: async (context, rows, row) => ({
      ...(await patientBookings(context, row.id, context.params.id, context.query, rows)),
      seen: row.id,
    }),
  });
};
