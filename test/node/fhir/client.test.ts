import { Client } from 'fhir-kit-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { httpServer, listen } from '../../../src/runtime/node/serve/server.ts';
import type { Clinic } from '../../support/clinic-people.ts';
import { createFhirClinic } from '../../support/fhir.ts';
import { holdToFhir } from '../../support/fhir-validators.node.ts';
import { freePort } from '../../support/node/free-port.ts';

// biome-ignore lint/suspicious/noExplicitAny: a client gives whatever resource came.
type Resource = any;

/** A clinic that speaks FHIR over HTTP, and a client of another maker for each who asks it. */
const serve = async () => {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const fhir = await createFhirClinic({}, { PUBLIC_URL: origin });
  const server = httpServer(fhir.world.app.fetch, '127.0.0.1');
  await listen(server, port, '127.0.0.1');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const clientFor = (token: string) =>
    new Client({ baseUrl: `${origin}/fhir/r4`, bearerToken: token, requestOptions: { keepalive: false } });
  return { ...fhir, clientFor };
};

/** What the client's own error carries of the answer. */
const refusalOf = async (asked: Promise<Resource>) => {
  const { response } = await asked.then(
    () => Promise.reject(new Error('It was not refused.')),
    (error: { response: { status: number; data: Resource } }) => error,
  );
  await holdToFhir(response.data);
  return [response.status, response.data.resourceType, response.data.issue[0].code];
};

/** The matching resources of all pages, as the client follows them. */
const pagesOf = async (client: Client, first: Resource) => {
  const pages: Resource[] = [first];
  for (;;) {
    const next: Resource = await client.nextPage({ bundle: pages.at(-1) });
    if (next === undefined) break;
    pages.push(next);
  }
  for (const page of pages) await holdToFhir(page);
  return pages.map(({ entry = [] }) => entry.map(({ resource }: Resource) => resource.id));
};

const asked = (clinic: Clinic, start: string) => ({
  resourceType: 'Appointment',
  status: 'booked',
  start,
  participant: [
    { actor: { reference: `Patient/${clinic.patient.id}` }, status: 'accepted' },
    { actor: { reference: `Practitioner/${clinic.practice.doctorId}` }, status: 'accepted' },
  ],
});

const callers = [
  { who: 'an API key', tokenOf: ({ key }: { key: string }) => key, begins: 'booked' },
  {
    who: 'the reception',
    tokenOf: ({ clinic }: { clinic: Clinic }) => clinic.staff.token,
    begins: 'booked',
  },
  { who: 'a patient', tokenOf: ({ clinic }: { clinic: Clinic }) => clinic.patient.token, begins: 'pending' },
] as const;

describe.each(callers)('fhir-kit-client, as $who, over HTTP', ({ tokenOf, begins }) => {
  it('reads the metadata, searches page by page, books, reads, moves and cancels', async () => {
    const here = await serve();
    const { clinic, clientFor } = here;
    const client = clientFor(tokenOf(here));
    const { doctorId } = clinic.practice;

    const capability = await client.capabilityStatement();
    expect(capability).toMatchObject({ resourceType: 'CapabilityStatement', fhirVersion: '4.0.1' });
    await holdToFhir(capability);

    const day = {
      'schedule.actor': `Practitioner/${doctorId}`,
      start: ['ge2026-11-24', 'lt2026-11-25'],
      _count: '7',
    };
    const slots = await pagesOf(client, await client.search({ resourceType: 'Slot', searchParams: day }));
    expect(slots.map(({ length }) => length)).toEqual([7, 7, 2]);
    expect(new Set(slots.flat()).size).toBe(16);
    const posted = await client.resourceSearch({
      resourceType: 'Slot',
      searchParams: day,
      options: { postSearch: true },
    });
    expect((posted as Resource).total).toBe(16);

    const booked: Resource = await client.create({
      resourceType: 'Appointment',
      body: asked(clinic, '2026-11-24T09:00:00+07:00'),
    });
    await holdToFhir(booked);
    expect(booked).toMatchObject({ status: begins, start: '2026-11-24T02:00:00.000Z' });
    expect(await client.read({ resourceType: 'Appointment', id: booked.id })).toEqual(booked);
    const found = await client.search({
      resourceType: 'Appointment',
      searchParams: { patient: clinic.patient.id },
    });
    expect(await pagesOf(client, found)).toEqual([[booked.id]]);
    expect(
      await refusalOf(
        client.create({ resourceType: 'Appointment', body: asked(clinic, '2026-11-24T09:00:00+07:00') }),
      ),
    ).toEqual([409, 'OperationOutcome', 'conflict']);

    const moved: Resource = await client.update({
      resourceType: 'Appointment',
      id: booked.id,
      body: { ...booked, slot: undefined, start: '2026-11-24T10:00:00+07:00', end: undefined },
      options: { headers: { 'If-Match': `W/"${booked.meta.versionId}"` } },
    });
    await holdToFhir(moved);
    expect([moved.id, moved.start]).toEqual([booked.id, '2026-11-24T03:00:00.000Z']);
    const canceling = (version: string) =>
      client.update({
        resourceType: 'Appointment',
        id: booked.id,
        body: { ...moved, status: 'cancelled' },
        options: { headers: { 'If-Match': `W/"${version}"` } },
      });
    expect(await refusalOf(canceling(booked.meta.versionId))).toEqual([412, 'OperationOutcome', 'conflict']);
    const canceled = await canceling(moved.meta.versionId);
    await holdToFhir(canceled);
    expect(canceled).toMatchObject({ id: booked.id, status: 'cancelled' });
  });

  it('finds and books by the operations', async () => {
    const here = await serve();
    const { clinic, clientFor } = here;
    const client = clientFor(tokenOf(here));
    const found: Resource = await client.operation({
      name: 'find',
      resourceType: 'Appointment',
      input: {
        resourceType: 'Parameters',
        parameter: [
          { name: 'start', valueDateTime: '2026-11-24T08:00:00+07:00' },
          { name: 'end', valueDateTime: '2026-11-24T09:00:00+07:00' },
          {
            name: 'practitioner',
            valueReference: { reference: `Practitioner/${clinic.practice.doctorId}` },
          },
        ],
      },
    });
    await holdToFhir(found);
    expect(found.entry.map(({ resource }: Resource) => resource.status)).toEqual(['proposed', 'proposed']);
    const booked: Resource = await client.operation({
      name: '$book',
      resourceType: 'Appointment',
      input: {
        resourceType: 'Parameters',
        parameter: [
          {
            name: 'appointment-reference',
            valueReference: { reference: `Appointment/${found.entry[0].resource.id}` },
          },
          { name: 'patient-resource', resource: { resourceType: 'Patient', id: clinic.patient.id } },
        ],
      } as Resource,
    });
    await holdToFhir(booked);
    expect(booked.entry[0].resource.status).toBe(begins);
  });
});

it('another patient’s Appointment is not there for fhir-kit-client', async () => {
  const { clinic, key, clientFor } = await serve();
  const { id } = (await clientFor(key).create({
    resourceType: 'Appointment',
    body: asked(clinic, '2026-11-24T09:00:00+07:00'),
  })) as Resource;
  const stranger = clientFor(clinic.stranger.token);
  expect(await refusalOf(stranger.read({ resourceType: 'Appointment', id }))).toEqual([
    404,
    'OperationOutcome',
    'not-found',
  ]);
  const none: Resource = await stranger.search({
    resourceType: 'Appointment',
    searchParams: { patient: clinic.patient.id },
  });
  expect(none.total).toBe(0);
  expect(await refusalOf(clientFor('wrong').search({ resourceType: 'Slot' }))).toEqual([
    401,
    'OperationOutcome',
    'login',
  ]);
});
