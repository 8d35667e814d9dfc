import type { Deps } from '../../core/deps.ts';
import type { Role } from '../../core/endpoint/endpoint.ts';
import type { Language } from '../../core/endpoint/messages.ts';
import { buildPage } from '../../core/http/page.ts';
import { devicesRead, deviceView } from '../auth/account/devices.ts';
import { askForEmail } from '../auth/account/email-change.ts';
import { toAuthor } from '../auth/audit/queries.ts';
import { findDeviceLogin } from '../auth/login/queries.ts';
import type { Mount } from '../handler.ts';
import { changeRole, invitePerson, personView } from './actions.ts';
import * as contract from './contract.ts';
import * as devices from './devices-contract.ts';
import { peoplePage, peopleRead } from './pages.ts';
import { findPerson } from './queries.ts';
import { deactivate, endDevice, endDevices, reactivate } from './shut.ts';

const namedPerson = {
  read: ({ deps, params }: { deps: Deps; params: { id: string } }) => findPerson(deps.db, params),
  visible: () => true,
};

/** The record that an account's answer shows: a patient's own has the same id. */
const patientIn = ({ id, role }: { id: string; role: Role }): string | null =>
  role === 'patient' ? id : null;

const toChange = (context: Parameters<typeof toAuthor>[0] & { language: Language }) => ({
  ...toAuthor(context),
  language: context.language,
});

/** The people of the clinic: its staff, and its patients. */
export const mountPeople = (mount: Mount): void => {
  mount(contract.ListPeople, {
    reads: ({ deps, query }) => peopleRead(deps, query),
    answer: ({ query }, rows) => peoplePage(rows, contract.ListPeople.path, query, personView),
  });
  mount(contract.InvitePerson, {
    answer: async (context) => {
      const { data, meta } = await invitePerson(
        context.deps,
        toChange(context),
        context.body,
        context.toStoredResponse,
      );
      const headers = { Location: `${contract.InvitePerson.path}/${data.id}` };
      return { status: 201, data, meta, headers };
    },
  });
  mount(contract.GetPerson, {
    resource: namedPerson,
    answer: (_context, _rows, row) => ({ status: 200, data: personView(row), seen: patientIn(row) }),
  });
  mount(contract.ChangeRole, {
    resource: namedPerson,
    answer: async (context) => ({
      status: 200,
      ...(await changeRole(context.deps, toChange(context), context.params.id, context.body)),
    }),
  });
  mount(contract.DeactivatePerson, {
    resource: namedPerson,
    answer: (context, _rows, row) => deactivate(context, row),
  });
  mount(contract.ReactivatePerson, {
    resource: namedPerson,
    answer: (context, _rows, row) => reactivate(context, row),
  });
  mount(devices.ListPersonDevices, {
    resource: namedPerson,
    reads: ({ deps, params, query, now }) => devicesRead(deps, params.id, query, now),
    answer: ({ query, params, actor }, rows, person) => {
      const path = devices.ListPersonDevices.path.replace('{id}', params.id);
      const page = buildPage(rows, path, query, ({ createdAt, id }) => [createdAt, id]);
      const data = page.shown.map((row) => deviceView(row, actor.deviceLoginId));
      const { meta, headers } = page;
      return { status: 200, data, meta, headers, seen: patientIn(person) };
    },
  });
  mount(devices.EndPersonDevices, {
    resource: namedPerson,
    answer: async (context, _rows, row) => ({
      status: 200,
      data: { ended: await endDevices(context, row) },
    }),
  });
  mount(devices.EndPersonDevice, {
    resource: namedPerson,
    reads: ({ deps, params }) => findDeviceLogin(deps.db, { id: params.device_id }),
    answer: async (context, [device], row) => {
      await endDevice(context, row, device);
      return { status: 200 };
    },
  });
  mount(contract.ChangePersonEmail, {
    resource: namedPerson,
    answer: (context, _rows, { id: userId, email }) =>
      askForEmail(context, { userId, email }, context.body.email, null),
  });
};
