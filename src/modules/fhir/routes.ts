import { Failure } from '../../core/endpoint/errors.ts';
import type { AnyActor } from '../auth/context.ts';
import type { SeenBooking } from '../booking/record/queries.ts';
import { anyBooking, changedBooking, isArchived, namedBooking } from '../booking/record/resource.ts';
import { partyOfActor, seenBy } from '../booking/record/rules.ts';
import type { Mount, Spoken } from '../handler.ts';
import * as answers from './answers.ts';
import { toAppointmentRows } from './archived.ts';
import { baseUrl } from './base.ts';
import { book, bookedBundle } from './book.ts';
import { capabilityStatement } from './capability.ts';
import * as contract from './contract.ts';
import { fhirFormat } from './dialect.ts';
import { readCatalog } from './find.ts';
import { patientsByIds } from './find-patients.ts';
import { findAppointment } from './queries.ts';
import { toAppointment, toSlot } from './resources.ts';
import { parseSearch } from './search.ts';
import { findSlots, slotReads, wantedSlots } from './slots.ts';
import { changeAppointment, makeAppointment, readAppointment } from './write.ts';

/** The booking that a path names; an offer of the waitlist is none. */
const namedAppointment = {
  ...namedBooking,
  visible: (row: SeenBooking, actor: AnyActor) => row.heldUntil === null && namedBooking.visible(row, actor),
};

/** The same, to be changed. */
const changedAppointment = {
  ...changedBooking,
  visible: (row: SeenBooking, actor: AnyActor) =>
    row.heldUntil === null && changedBooking.visible(row, actor),
};

const slotById = (id: string) => parseSearch('Slot', [['_id', id]], false);

const mountReads = (mount: Mount): void => {
  const { Patient, Appointment, Slot, ...catalog } = contract.reads;
  mount(Patient, {
    answer: async (context) => {
      const [data] = await patientsByIds(context, [context.params.id]);
      if (data === undefined) throw new Failure('not_found');
      return { status: 200, data, seen: data.id };
    },
  });
  mount(Appointment, {
    resource: { ...anyBooking, visible: namedAppointment.visible },
    reads: ({ deps, params }) => [findAppointment(deps.db, params)] as const,
    answer: async (context, [[standing]], booking) => {
      const { deps, actor } = context;
      const [archived] = isArchived(booking) ? await toAppointmentRows(deps, [booking]) : [];
      const row = archived ?? standing;
      if (row === undefined) throw new Failure('not_found');
      const seen = seenBy(partyOfActor(booking, actor), booking);
      return { status: 200, data: toAppointment(baseUrl(deps), row), seen };
    },
  });
  mount(Slot, {
    reads: ({ deps, now, params }) => slotReads(deps, wantedSlots(deps, now, slotById(params.id))),
    answer: ({ deps, now, actor, params }, rows) => {
      const [found] = findSlots(deps, now, actor, wantedSlots(deps, now, slotById(params.id)), rows);
      if (found === undefined) throw new Failure('not_found');
      return { status: 200, data: toSlot(baseUrl(deps), found) };
    },
  });
  for (const [type, endpoint] of Object.entries(catalog))
    mount(endpoint, {
      answer: async (context) => {
        const data = await readCatalog(context, type as keyof typeof catalog, context.params.id);
        if (data === undefined) throw new Failure('not_found');
        return { status: 200, data };
      },
    });
};

const mountSearches = (mount: Mount): void => {
  const { Slot, ...others } = contract.searches;
  const { Slot: PostSlot, ...postOthers } = contract.postSearches;
  for (const endpoint of [Slot, PostSlot])
    mount(endpoint, {
      reads: (request) => answers.slotSearchReads(request, request),
      answer: async (context, rows) => ({
        status: 200,
        data: await answers.slotBundle(context, context, rows),
      }),
    });
  for (const [type, endpoint] of [...Object.entries(others), ...Object.entries(postOthers)])
    mount(endpoint, {
      answer: async (context) => ({
        status: 200,
        data: await answers.searchBundle(context, type as keyof typeof others, context),
      }),
    });
};

const idOf = (stored: unknown): string => (stored as { id: string }).id;

const mountWrites = (mount: Mount): void => {
  for (const endpoint of [contract.Find, contract.FindByGet])
    mount(endpoint, {
      reads: (request) => answers.findReads(request, request),
      answer: async (context, rows) => ({
        status: 200,
        data: await answers.findBundle(context, context, rows),
      }),
    });
  mount(contract.Book, {
    answer: async (context) => ({
      status: 200,
      data: bookedBundle(context, await book(context, context.body)),
    }),
    repeat: async (context, stored) => ({
      status: 200,
      data: bookedBundle(context, await readAppointment(context, idOf(stored))),
    }),
  });
  mount(contract.CreateAppointment, {
    answer: async (context) => ({
      status: 201,
      data: await makeAppointment(context, context.body, 201),
    }),
    repeat: async (context, stored) => ({ status: 201, data: await readAppointment(context, idOf(stored)) }),
  });
  mount(contract.ChangeAppointment, {
    resource: changedAppointment,
    answer: async (context, _rows, booking) => ({
      status: 200,
      data: await changeAppointment(context, context.body, booking),
    }),
    repeat: async (context, stored) => ({ status: 200, data: await readAppointment(context, idOf(stored)) }),
  });
};

/** The façade, with everything that it serves. */
export const spokenFhir: Spoken = {
  dialect: fhirFormat,
  mountRoutes: (mount) => {
    mount(contract.Metadata, {
      answer: ({ deps }) => ({ status: 200, data: capabilityStatement(baseUrl(deps)) }),
    });
    // Before the reads: `$find` is no id.
    mountWrites(mount);
    mountReads(mount);
    mountSearches(mount);
  },
};
