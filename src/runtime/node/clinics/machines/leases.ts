import type { Db } from '../../../../core/db/db.ts';
import { createLeaseGate, type LeaseGate, readMoment } from '../../../../core/db/embedded/lease-gate.ts';
import { newId } from '../../../../core/db/ids.ts';
import { errorName, type Logger } from '../../../../core/log.ts';
import {
  type DirectoryNow,
  enterMachine,
  findOwner,
  giveBackClinic,
  type Held,
  leaveMachine,
  type Machine,
  type Owner,
  raiseEpoch,
  renewMachine,
  takeClinic,
} from '../../../../modules/clinics/lease-queries.ts';
import { ClinicMoving } from '../../../../modules/clinics/opener.ts';
import { renewEveryMs, usedForMs } from './rules.ts';

/** Another machine owns the clinic. */
export class ClinicElsewhere extends ClinicMoving {
  readonly owner: Owner;

  constructor(owner: Owner) {
    super('another machine has the clinic');
    this.owner = owner;
  }
}

/** A clinic that this machine took. */
export interface Lease {
  /** Of the machine: shut when its time is over, for good. */
  gate: SharedArrayBuffer;
  epoch: number;
  /** Has an epoch that is later than that of a lock which this owner did not get; null while that is not certain to be right. */
  raise: () => Promise<number | null>;
  /** Gives it back; its file must be closed. */
  giveBack: () => Promise<void>;
}

interface Needs {
  directory: Db;
  machine: Omit<Machine, 'id'>;
  leaseMs: number;
  now: DirectoryNow;
  log: Logger;
  /** Called when the machine's time was over before it was renewed: none of its clinics is its own any more. */
  lost: () => void;
}

/** How long it is known who owns a clinic, in milliseconds: the former owner does not say that it no longer has it. */
const knownMs = 5_000;
/** The same for requests that wait for an owner who may be gone. */
const knownWaitingMs = 1_000;
const mostKnown = 10_000;
/** How soon a renewal that failed is sent again, in milliseconds. */
const retryMs = 500;

/**
 * What this machine owns. One line in the directory says until when the machine lives, and one a clinic which machine has
 * it: so a thousand clinics are renewed by one statement, and a machine whose time is over has lost all of them at once.
 */
export const createLeases = ({ directory: db, machine, leaseMs, now, log, lost }: Needs) => {
  let current: (Held & { gate: LeaseGate }) | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isEnded = false;
  let isFailing = false;
  let takenOver = 0;
  const owned = new Map<string, number>();
  const known = new Map<string, { owner: Owner | null; at: number }>();

  const enter = async (): Promise<void> => {
    const id = newId();
    const gate = createLeaseGate();
    const before = readMoment();
    const heldUntil = await enterMachine(db, { ...machine, id }, leaseMs, now);
    gate.openUntil(before, usedForMs(leaseMs));
    current = { id, gate, heldUntil };
  };
  const renewCurrent = async (renewing: NonNullable<typeof current>): Promise<void> => {
    const { id, gate } = renewing;
    // Before it is sent: whatever the directory makes of it, it counts from later on.
    const before = readMoment();
    const heldUntil = await renewMachine(db, renewing, leaseMs, now);
    if (heldUntil !== null) {
      renewing.heldUntil = heldUntil;
      return gate.openUntil(before, usedForMs(leaseMs));
    }
    gate.shut();
    current = null;
    owned.clear();
    log.warn('lease lost', { machine: id });
    lost();
    await enter();
  };
  const renew = async (): Promise<void> => {
    if (isEnded) return;
    try {
      await (current === null ? enter() : renewCurrent(current));
      isFailing = false;
    } catch (error) {
      // Until the directory answers the gate shuts by itself.
      if (!isFailing) log.error('lease not renewed', { cause: errorName(error) });
      isFailing = true;
    }
  };
  const holds = (clinicId: string): boolean => owned.has(clinicId) && current?.gate.isOpen() === true;
  const remember = (clinicId: string, owner: Owner | null): Owner | null => {
    known.delete(clinicId);
    known.set(clinicId, { owner, at: performance.now() });
    if (known.size > mostKnown) known.delete(known.keys().next().value ?? '');
    return owner;
  };

  const findElsewhere = async (clinicId: string, freshMs: number): Promise<Owner | null> => {
    const before = known.get(clinicId);
    // A command has a clinic for a moment, and forwards nothing.
    const usedMs = before?.owner?.address === '' ? Math.min(freshMs, knownWaitingMs) : freshMs;
    const isFresh = before !== undefined && performance.now() - before.at < usedMs;
    const owner = isFresh ? before.owner : remember(clinicId, await findOwner(db, clinicId, now));
    return owner?.id === current?.id ? null : owner;
  };

  return {
    renew,
    /** Renews until `leave`. */
    start: async (): Promise<void> => {
      await enter();
      const again = (): void => {
        const pauseMs = isFailing ? retryMs : renewEveryMs(leaseMs);
        timer = setTimeout(() => void renew().then(() => isEnded || again()), pauseMs);
        // The server keeps the process alive.
        timer.unref();
      };
      again();
    },
    enter,
    id: (): string => current?.id ?? '',
    isHeld: (): boolean => current?.gate.isOpen() === true,
    holds,
    stats: () => ({ owned: current?.gate.isOpen() ? owned.size : 0, takenOver }),
    /** The other machine that has a clinic; null if none has. */
    findElsewhere: (clinicId: string): Promise<Owner | null> => findElsewhere(clinicId, knownMs),
    /** Whether a machine still has a clinic. */
    isOwner: async (clinicId: string, machineId: string): Promise<boolean> =>
      (await findElsewhere(clinicId, knownWaitingMs))?.id === machineId,
    forget: (clinicId: string): void => void known.delete(clinicId),
    /** Takes a clinic. Throws `ClinicElsewhere` if another machine has it. */
    take: async (clinicId: string): Promise<Lease> => {
      const taking = current;
      if (taking === null || !taking.gate.isOpen()) throw new ClinicMoving('this machine has no lease');
      const { id: machineId, gate } = taking;
      const taken = await takeClinic(db, { clinicId, machineId }, now);
      if (taken.epoch === null) {
        if (taken.owner === null) throw new ClinicMoving('this machine has no lease any more');
        remember(clinicId, taken.owner);
        throw new ClinicElsewhere(taken.owner);
      }
      let { epoch } = taken;
      let used = true;
      const { lost: lostBy } = taken;
      if (current === taking) owned.set(clinicId, epoch);
      known.delete(clinicId);
      if (lostBy !== null) {
        takenOver += 1;
        log.warn('clinic taken over', { clinic: clinicId, machine: lostBy });
      }
      return {
        gate: gate.memory,
        epoch,
        raise: async () => {
          const raised = await raiseEpoch(db, { clinicId, epoch, held: taking }, leaseMs, now);
          // Counted, it would reach the lock's after some tries, and nobody would have waited.
          used = raised !== null;
          if (raised === null) return null;
          log.warn('epoch raised', { clinic: clinicId });
          if (owned.get(clinicId) === epoch) owned.set(clinicId, raised);
          epoch = raised;
          return raised;
        },
        giveBack: async () => {
          // One that is not given back is lost with the machine, or taken again by it.
          await giveBackClinic(db, { clinicId, machineId, epoch, used }).catch((error: unknown) =>
            log.warn('clinic not given back', { clinic: clinicId, cause: errorName(error) }),
          );
          if (owned.get(clinicId) === epoch) owned.delete(clinicId);
        },
      };
    },
    /** Gives everything back at once; every file must be closed. */
    leave: async (): Promise<void> => {
      isEnded = true;
      clearTimeout(timer);
      const leaving = current;
      current = null;
      owned.clear();
      if (leaving === null) return;
      leaving.gate.shut();
      await leaveMachine(db, leaving.id).catch((error: unknown) =>
        log.warn('leases not given back', { cause: errorName(error) }),
      );
    },
  };
};
