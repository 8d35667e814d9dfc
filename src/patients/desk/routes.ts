import { authorOf } from '../../auth/audit/queries.ts';
import type { Mount } from '../../handler.ts';
import { namedPatient } from '../record/resource.ts';
import { patientDetail } from '../record/views.ts';
import { changePatient, createPatient } from './actions.ts';
import * as contract from './contract.ts';
import { patientBookings, patientBookingsRead } from './patient-bookings.ts';
import { findVisits } from './queries.ts';
import { patientsPage } from './search.ts';

export const mountPatients = (mount: Mount): void => {
  mount(contract.FindPatients, { answer: ({ deps, query }) => patientsPage(deps, query) });
  mount(contract.CreatePatient, {
    answer: async (ask) => {
      const data = await createPatient({ ...ask, by: authorOf(ask) }, ask.body);
      const headers = { Location: `${contract.CreatePatient.path}/${data.id}` };
      return { status: 201, message: 'created', data, headers };
    },
  });
  mount(contract.GetPatient, {
    resource: namedPatient,
    reads: ({ deps, now, params }) => [findVisits(deps.db, { id: params.id, now })] as const,
    answer: async ({ deps, actor }, [[visits]], row) => ({
      status: 200,
      data: await patientDetail(deps, row, visits, actor.role !== 'doctor'),
    }),
  });
  mount(contract.ChangePatient, {
    resource: namedPatient,
    answer: async (ask) => ({
      status: 200,
      message: 'changed',
      data: await changePatient({ ...ask, by: authorOf(ask) }, ask.params.id, ask.body),
    }),
  });
  mount(contract.ListPatientBookings, {
    resource: namedPatient,
    reads: ({ deps, params, caller, query }) =>
      [patientBookingsRead(deps, caller.userId, params.id, query)] as const,
    answer: ({ deps, now, params, query }, [rows]) => patientBookings(deps, now, params.id, query, rows),
  });
};
