import { and, eq, gt, gte, lte, ne, notExists, type SQL, sql } from 'drizzle-orm';
import { type Db, run, runAll } from '../../core/db/db.ts';
import { clinics, leases, machines } from './tables.ts';

/** The time of a lease in milliseconds, as an expression that the directory evaluates: the machines' clocks decide nothing. */
export type DirectoryNow = () => SQL;

export const directoryNow: DirectoryNow = () => sql`cast(unixepoch('subsec') * 1000 as integer)`;

/** A machine that serves clinics, or a command that works on one. */
export interface Machine {
  id: string;
  /** Empty where it is a command, which serves nothing. */
  address: string;
  computer: string;
}

/** The machine that owns a clinic. */
export interface Owner extends Machine {
  /** For how long it does, unless it renews that. */
  leftMs: number;
}

/** How long the line of a machine that is gone is kept, in milliseconds. */
const rememberedMs = 86_400_000;

/** Enters a machine, whose clinics are its own until the answered time; forgets those that are gone. */
export const enterMachine = async (
  db: Db,
  machine: Machine,
  leaseMs: number,
  now: DirectoryNow,
): Promise<number> => {
  const { entered } = await runAll(db, {
    forgotten: db.delete(machines).where(sql`${machines.heldUntil} < ${now()} - ${rememberedMs}`),
    entered: db
      .insert(machines)
      .values({ ...machine, startedAt: sql`${now()}`, heldUntil: sql`${now()} + ${leaseMs}` })
      .returning({ heldUntil: machines.heldUntil }),
  });
  return entered[0]?.heldUntil ?? 0;
};

/** A machine as the directory left it when it last renewed its time. */
export interface Held {
  id: string;
  heldUntil: number;
}

/** Its line, unless its time is over, or the directory is an earlier copy of itself, which has an earlier time. */
const stillHeld = ({ id, heldUntil }: Held, now: DirectoryNow) =>
  and(eq(machines.id, id), gte(machines.heldUntil, heldUntil), gt(machines.heldUntil, now()));

/** Renews the time of a machine, and answers until when it is; null if it was over, or the directory was restored. */
export const renewMachine = async (
  db: Db,
  held: Held,
  leaseMs: number,
  now: DirectoryNow,
): Promise<number | null> => {
  const renewed = await run(
    db,
    db
      .update(machines)
      .set({ heldUntil: sql`${now()} + ${leaseMs}` })
      .where(stillHeld(held, now))
      .returning({ heldUntil: machines.heldUntil }),
  );
  return renewed[0]?.heldUntil ?? null;
};

/** Lets go of all clinics of a machine at once. */
export const leaveMachine = async (db: Db, id: string): Promise<void> => {
  await run(db, db.delete(machines).where(eq(machines.id, id)));
};

const live = (now: DirectoryNow) => gt(machines.heldUntil, now());

const selectOwner = (db: Db, clinicId: string, now: DirectoryNow) =>
  db
    .select({
      id: machines.id,
      address: machines.address,
      computer: machines.computer,
      leftMs: sql<number>`${machines.heldUntil} - ${now()}`.as('left_ms'),
    })
    .from(leases)
    .innerJoin(machines, eq(machines.id, leases.machineId))
    .where(and(eq(leases.clinicId, clinicId), live(now)));

/** The machine that owns a clinic now; null if none does. */
export const findOwner = async (db: Db, clinicId: string, now: DirectoryNow): Promise<Owner | null> =>
  (await run(db, selectOwner(db, clinicId, now)))[0] ?? null;

/** The clinic was taken, by the owner of this epoch, where `lost` is a machine that had not given it back; or another owner has it. */
type Taken = { epoch: number; lost: string | null } | { epoch: null; owner: Owner | null };

/** Takes a clinic for a machine whose own time is not over, unless another such machine has it: one update decides. */
export const takeClinic = async (
  db: Db,
  { clinicId, machineId }: { clinicId: string; machineId: string },
  now: DirectoryNow,
): Promise<Taken> => {
  const others = db
    .select({ id: machines.id })
    .from(machines)
    .where(and(sql`${machines.id} = leases.machine_id`, ne(machines.id, machineId), live(now)));
  const own = db
    .select({ id: machines.id })
    .from(machines)
    .where(and(eq(machines.id, machineId), live(now)));
  const { before, taken, owner } = await runAll(db, {
    made: db.insert(leases).values({ clinicId, machineId: null, epoch: 0, since: 0 }).onConflictDoNothing(),
    before: db.select({ machineId: leases.machineId }).from(leases).where(eq(leases.clinicId, clinicId)),
    taken: db
      .update(leases)
      .set({ machineId, epoch: sql`${leases.epoch} + 1`, since: sql`${now()}` })
      .where(and(eq(leases.clinicId, clinicId), notExists(others), sql`exists ${own}`))
      .returning({ epoch: leases.epoch }),
    owner: selectOwner(db, clinicId, now),
  });
  const [row] = taken;
  if (row === undefined) return { epoch: null, owner: owner[0] ?? null };
  const last = before[0]?.machineId ?? null;
  return { epoch: row.epoch, lost: last === machineId ? null : last };
};

/**
 * Gives the owner of a clinic an epoch after that of every owner before, also of those that a restored directory does not
 * know: by its clock, as they only count. Null while it is not certain that none of them goes on: a machine that was there
 * before the directory was restored stops within a lease, and this machine was entered longer ago than that.
 */
export const raiseEpoch = async (
  db: Db,
  { clinicId, epoch, held }: { clinicId: string; epoch: number; held: Held },
  leaseMs: number,
  now: DirectoryNow,
): Promise<number | null> => {
  const own = db
    .select({ id: machines.id })
    .from(machines)
    .where(and(stillHeld(held, now), lte(machines.startedAt, sql`${now()} - ${leaseMs}`)));
  const raised = await run(
    db,
    db
      .update(leases)
      .set({ epoch: sql`max(${leases.epoch} + 1, ${now()})` })
      .where(
        and(
          eq(leases.clinicId, clinicId),
          eq(leases.machineId, held.id),
          eq(leases.epoch, epoch),
          sql`exists ${own}`,
        ),
      )
      .returning({ epoch: leases.epoch }),
  );
  return raised[0]?.epoch ?? null;
};

/** Gives a clinic back, unless it has another owner since; an epoch with which no file was opened is not counted. */
export const giveBackClinic = async (
  db: Db,
  { clinicId, machineId, epoch, used }: { clinicId: string; machineId: string; epoch: number; used: boolean },
): Promise<void> => {
  const own = and(eq(leases.clinicId, clinicId), eq(leases.machineId, machineId), eq(leases.epoch, epoch));
  await run(
    db,
    db
      .update(leases)
      .set({ machineId: null, epoch: used ? epoch : epoch - 1 })
      .where(own),
  );
};

/** The machines that have clinics, by the clinics. */
export const listOwners = async (db: Db, now: DirectoryNow): Promise<Map<string, Machine>> => {
  const rows = await run(
    db,
    db
      .select({
        clinicId: leases.clinicId,
        id: machines.id,
        address: machines.address,
        computer: machines.computer,
      })
      .from(leases)
      .innerJoin(machines, eq(machines.id, leases.machineId))
      .where(and(live(now), ne(machines.address, ''))),
  );
  return new Map(rows.map(({ clinicId, ...machine }) => [clinicId, machine]));
};

export const listMachines = (db: Db, now: DirectoryNow): Promise<Machine[]> =>
  run(
    db,
    db
      .select({ id: machines.id, address: machines.address, computer: machines.computer })
      .from(machines)
      .where(and(live(now), ne(machines.address, ''))),
  );

/** The clinics of a query that no other machine owns. */
export const notElsewhere = (machineId: string, now: DirectoryNow): SQL =>
  sql`not exists (select 1 from leases join machines on machines.id = leases.machine_id
    where leases.clinic_id = ${clinics.id} and machines.id <> ${machineId} and machines.held_until > ${now()})`;
