import { run } from '../../core/db/db.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import type { AnyContext } from '../auth/context.ts';
import { findBooking } from '../booking/record/queries.ts';
import { maySee } from '../booking/record/rules.ts';
import { baseUrl } from './base.ts';
import { toBundle } from './bundle.ts';
import { slotIdParts, systems } from './resources.ts';
import type { GivenResource, Resource } from './types.ts';
import { changeAppointment, makeAppointment } from './write.ts';

interface Parameter {
  name?: unknown;
  resource?: GivenResource;
  valueReference?: { reference?: unknown };
  valueString?: unknown;
}

export const bookedBundle = ({ deps, language }: AnyContext, appointment: Resource) => {
  const base = baseUrl(deps);
  return toBundle(base, language, {
    matches: [appointment],
    total: 1,
    self: `${base}/Appointment/${appointment.id}`,
  });
};

/** A patient by the id, or else by the first identifier of a system that is known here, or the first. */
const toActor = ({ id, identifier }: GivenResource, base: string) => {
  if (id !== undefined) return { reference: `Patient/${id}` };
  const given = Array.isArray(identifier) ? identifier : [];
  const known = Object.values(systems(base));
  return { identifier: given.find((one) => known.includes(one?.system)) ?? given[0] };
};

/** The Appointment that the parameters of `$book` describe, with the patient beside it. */
const described = ({ parameter }: { parameter?: unknown }, base: string): GivenResource => {
  const given = (Array.isArray(parameter) ? parameter : []) as (Parameter | null)[];
  const find = (name: string) => given.find((one) => one?.name === name);
  const own = find('appointment-resource')?.resource ?? undefined;
  const id =
    String(find('appointment-reference')?.valueReference?.reference ?? '')
      .split('/')
      .at(-1) ?? '';
  if (own === undefined && slotIdParts(id) === undefined)
    throw new Failure('validation_failed', {
      issues: [{ path: 'Parameters.parameter', rule: id === '' ? 'required' : 'not_found' }],
    });
  const appointment = own ?? { resourceType: 'Appointment', id, status: 'pending' };
  const patient = find('patient-resource')?.resource ?? undefined;
  const participant = Array.isArray(appointment.participant) ? appointment.participant : [];
  const comment = find('comment')?.valueString;
  return {
    ...appointment,
    participant:
      patient === undefined
        ? participant
        : [...participant, { actor: toActor(patient, base), status: 'accepted' }],
    ...(comment !== undefined && { comment }),
  };
};

/** Makes, moves or cancels, by the Appointment's id: a proposed one has that of its slot. */
export const book = async (context: AnyContext, body: object): Promise<Resource> => {
  const { deps, actor } = context;
  const { id, ...appointment } = described(body, baseUrl(deps));
  const isProposed = slotIdParts(String(id)) !== undefined;
  if (id === undefined || isProposed) {
    const slot = isProposed ? [{ reference: `Slot/${id}` }] : undefined;
    return makeAppointment(context, { slot, ...appointment }, 200);
  }
  const [booking] = await run(deps.db, findBooking(deps.db, { id: String(id), accountId: actor.userId }));
  if (booking === undefined || booking.heldUntil !== null || !maySee(booking, actor))
    throw new Failure('not_found');
  return changeAppointment(context, { id, ...appointment }, booking);
};
