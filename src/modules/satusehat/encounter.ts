// Pure: an Encounter as SATUSEHAT takes it (FHIR R4), from what the clinic knows of a visit.

/** The content of an Encounter: ids of SATUSEHAT, and instants in milliseconds. */
interface Visit {
  /** The id of the Encounter; null before it has one. */
  id: string | null;
  bookingCode: string;
  organizationId: string;
  patientIhs: string;
  patientName: string;
  doctorIhs: string;
  doctorName: string;
  locationIhs: string;
  locationName: string;
  arrivedAt: number;
  calledAt: number | null;
  /** When the visit ended, and whether it is finished for SATUSEHAT too. */
  ended: { at: number; as: 'finished' | 'in-progress' | 'cancelled' } | null;
}

type Status = 'arrived' | 'in-progress' | 'finished' | 'cancelled';

/** SATUSEHAT takes UTC, written with its offset. */
const toUtc = (instant: number): string => new Date(instant).toISOString().replace(/\.\d{3}Z$/, '+00:00');

const period = (start: number, end: number | null) => ({
  start: toUtc(start),
  ...(end !== null && { end: toUtc(end) }),
});

/** The states of the visit one after another: each begins when the one before it ends, so that there is no gap. */
const listStates = ({ arrivedAt, calledAt, ended }: Visit): [Status, number][] => {
  const states: [Status, number][] = [['arrived', arrivedAt]];
  const isCancelled = ended?.as === 'cancelled';
  // A visit that was completed without a call began at the latest when it ended.
  const begunAt = calledAt ?? (ended === null || isCancelled ? null : ended.at);
  if (begunAt !== null) states.push(['in-progress', Math.max(arrivedAt, begunAt)]);
  if (ended !== null && ended.as !== 'in-progress')
    states.push([ended.as, Math.max(states.at(-1)?.[1] ?? 0, ended.at)]);
  return states;
};

/** By which the Encounter of a booking is found: the clinic's own identifier. */
export const buildIdentifier = (organizationId: string, bookingCode: string) => ({
  system: `http://sys-ids.kemkes.go.id/encounter/${organizationId}`,
  value: bookingCode,
});

/** The whole resource, with its `id` where it has one: a PUT without it is refused. */
export const buildEncounter = (visit: Visit) => {
  const { id, organizationId, ended } = visit;
  const states = listStates(visit);
  const status = states.at(-1)?.[0] ?? 'arrived';
  const endedAt = ended === null ? null : Math.max(ended.at, states.at(-1)?.[1] ?? 0);
  const ambulatory = {
    system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode',
    code: 'AMB',
    display: 'ambulatory',
  };
  return {
    resourceType: 'Encounter',
    ...(id !== null && { id }),
    identifier: [buildIdentifier(organizationId, visit.bookingCode)],
    status,
    statusHistory: states.map(([state, from], at) => ({
      status: state,
      period: period(from, states[at + 1]?.[1] ?? endedAt),
    })),
    class: ambulatory,
    classHistory: [{ class: ambulatory, period: period(visit.arrivedAt, endedAt) }],
    subject: { reference: `Patient/${visit.patientIhs}`, display: visit.patientName },
    participant: [
      {
        type: [
          {
            coding: [
              {
                system: 'http://terminology.hl7.org/CodeSystem/v3-ParticipationType',
                code: 'ATND',
                display: 'attender',
              },
            ],
          },
        ],
        individual: { reference: `Practitioner/${visit.doctorIhs}`, display: visit.doctorName },
      },
    ],
    period: period(visit.arrivedAt, endedAt),
    location: [{ location: { reference: `Location/${visit.locationIhs}`, display: visit.locationName } }],
    serviceProvider: { reference: `Organization/${organizationId}` },
  };
};
