import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import type { HttpBindings } from '@hono/node-server';
import type { SQL } from 'drizzle-orm';
import type { Db } from '../../../../core/db/db.ts';
import { findCause } from '../../../../core/endpoint/errors.ts';
import type { Logger } from '../../../../core/log.ts';
import { SettingError } from '../../../../core/settings/parse-settings.ts';
import { failureFormats } from '../../../../interface/dialects.ts';
import {
  type DirectoryNow,
  directoryNow,
  listOwners,
  notElsewhere,
} from '../../../../modules/clinics/lease-queries.ts';
import { ClinicMoving } from '../../../../modules/clinics/opener.ts';
import { type ClinicEntry, findClinic } from '../../../../modules/clinics/queries.ts';
import { refuseAtClinic } from '../../../../modules/clinics/refusals.ts';
import type { AllSettings } from '../../settings.ts';
import { createForwarding, createSigner, isBodySigned, partsOf } from './forwarding.ts';
import { ClinicElsewhere, createLeases, type Lease } from './leases.ts';
import { forwardedHeader } from './rules.ts';
import { whileOwned } from './while-owned.ts';

interface Needs {
  directory: Db;
  secrets: { secret: string };
  log: Logger;
  clientAddress: (request: Request, bindings: unknown) => string;
  /** Called when none of the clinics is this machine's any more. */
  lost: () => void;
  clock: () => number;
  now?: DirectoryNow | undefined;
}

type Answering = (request: Request, bindings: unknown) => Promise<Response>;

/** The requests of the operators' interface that are about one clinic. */
const ofOneClinic = /^\/operator\/api\/clinics\/([^/]+)(?:\/|$)/;

/** A part of a path as it is meant; null if it is no text. */
const decodePart = (part: string): string | null => {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
};

/** This machine among several that serve the clinics of one directory; null where it is alone. */
export const createMachines = (
  settings: AllSettings,
  { directory, secrets, log, clientAddress, lost, clock, now = directoryNow }: Needs,
) => {
  const { CLINICS_DIRECTORY, CLINICS_ADDRESS: address, CLINICS_LEASE: leaseSeconds } = settings;
  if (CLINICS_DIRECTORY === undefined) return null;
  if (address === undefined)
    throw new SettingError(
      'CLINICS_ADDRESS is not set: with CLINICS_DIRECTORY it says where the other machines reach this one, such as http://10.0.0.1:8787.',
    );
  const leases = createLeases({
    directory,
    machine: { address, computer: hostname() },
    leaseMs: leaseSeconds * 1000,
    now,
    log,
    lost,
  });
  const signer = createSigner(secrets.secret, settings.JWT_SECRET_PREVIOUS, clock);
  const forwarding = createForwarding({
    signer,
    isOwner: leases.isOwner,
    refused: leases.forget,
  });
  /** The addresses of clients whose requests were forwarded to this machine. */
  const forwardedFor = new WeakMap<object, string>();
  const wasForwarded = (bindings: unknown): boolean => forwardedFor.has((bindings as HttpBindings).incoming);
  const addressOf = (request: Request, bindings: unknown): string =>
    forwardedFor.get((bindings as HttpBindings).incoming) ?? clientAddress(request, bindings);
  const forward = (
    clinicId: string,
    owner: ClinicElsewhere['owner'],
    request: Request,
    bindings: unknown,
  ) => {
    if (owner.address === '') throw new ClinicMoving('a command works on its file');
    const { incoming, outgoing } = bindings as HttpBindings;
    return forwarding.send(clinicId, owner, {
      incoming,
      outgoing,
      clientAddress: clientAddress(request, bindings),
    });
  };
  const refuseForward = (request: Request, why: string): Response => {
    log.warn('forward refused', { cause: why });
    const answer = refuseAtClinic(request, 'forward_refused', failureFormats);
    answer.headers.set(forwardedHeader, 'refused');
    return answer;
  };

  return {
    leases,
    clientAddress: addressOf,
    /** Takes what another machine forwards, if it is signed. */
    receiving:
      (answer: Answering): Answering =>
      async (request, bindings) => {
        const { incoming } = bindings as HttpBindings;
        const given = incoming.headers[forwardedHeader];
        if (given === undefined) return answer(request, bindings);
        const verified = signer.verify(String(given), partsOf(incoming, leases.id()));
        if ('refused' in verified) return refuseForward(request, verified.refused);
        if (!(await isBodySigned(incoming, verified.body))) return refuseForward(request, 'body');
        forwardedFor.set(incoming, verified.clientAddress);
        return answer(request, bindings);
      },
    /** Answers here what this machine owns or may take, and lets the owner answer the rest. A request is forwarded once. */
    answer: async (
      { id }: Pick<ClinicEntry, 'id'>,
      request: Request,
      bindings: unknown,
      here: () => Promise<Response>,
    ): Promise<Response> => {
      const isLast = wasForwarded(bindings);
      if (!isLast && !leases.holds(id)) {
        const owner = await leases.findElsewhere(id);
        if (owner !== null) return forward(id, owner, request, bindings);
      }
      try {
        return await here();
      } catch (error) {
        const elsewhere = findCause(error, ClinicElsewhere);
        if (elsewhere === null || isLast) throw error;
        return forward(id, elsewhere.owner, request, bindings);
      }
    },
    /** Lets the owner answer what operators ask about one clinic; null where this machine can. */
    answerForOperators: async (request: Request, bindings: unknown): Promise<Response | null> => {
      const [, part] = ofOneClinic.exec(new URL(request.url).pathname) ?? [];
      const named = part === undefined ? null : decodePart(part);
      if (named === null || wasForwarded(bindings)) return null;
      const clinic = await findClinic(directory, named);
      if (clinic === null || leases.holds(clinic.id)) return null;
      const owner = await leases.findElsewhere(clinic.id);
      return owner === null ? null : forward(clinic.id, owner, request, bindings);
    },
    /** Takes a clinic whose file is here. */
    take: async ({ id }: Pick<ClinicEntry, 'id'>, path: string): Promise<Lease> => {
      if (!existsSync(path)) {
        log.error('clinic not seen from this machine', { clinic: id, cause: `${path} is not there` });
        throw new ClinicMoving(`${path} is not there`);
      }
      return leases.take(id);
    },
    /** Does work on a clinic's file beside its service, while no other machine may have it. */
    during: async <T>({ id }: Pick<ClinicEntry, 'id'>, path: string, work: () => Promise<T>): Promise<T> => {
      if (leases.holds(id)) return work();
      return whileOwned(await leases.take(id), path, work);
    },
    /** The condition of those clinics that no other machine has. */
    notElsewhere: (): SQL => notElsewhere(leases.id(), now),
    listOwners: () => listOwners(directory, now),
    stats: () => ({ ...leases.stats(), ...forwarding.stats() }),
    close: async (): Promise<void> => {
      forwarding.close();
      await leases.leave();
    },
  };
};

export type Machines = NonNullable<ReturnType<typeof createMachines>>;
