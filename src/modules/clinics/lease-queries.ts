import { and, eq, gt, ne, notExists, type SQL, sql } from 'drizzle-orm';
import { type Db, run, runAll } from '../../core/db/db.ts';
import { clinics, leases, machines } from './tables.ts';

/** The time of a lease in milliseconds, as an expression that the directory evaluates: the machines' clocks decide nothing. */
export type DirectoryNow = () => SQL;

export const directoryNow: DirectoryNow = () => sql`cast(unixepoch('subsec') * 1000 as integer)`;

/** A machine that serves clinics. */
export interface Machine {
  id: string;
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

/** Enters a machine, whose clinics are its own for so long; forgets those that are gone. */
export const enterMachine = async (
  db: Db,
  machine: Machine,
  leaseMs: number,
  now: DirectoryNow,
): Promise<void> => {
  await runAll(db, {
    forgotten: db.delete(machines).where(sql`${machines.heldUntil} < ${now()} - ${rememberedMs}`),
    entered: db
      .insert(machines)
      .values({ ...machine, startedAt: sql`${now()}`, heldUntil: sql`${now()} + ${leaseMs}` }),
  });
};

/** Renews the time of a machine; false if it was over already. */
export const renewMachine = async (
  db: Db,
  id: string,
  leaseMs: number,
  now: DirectoryNow,
): Promise<boolean> => {
  const renewed = await run(
    db,
    db
      .update(machines)
      .set({ heldUntil: sql`${now()} + ${leaseMs}` })
      .where(and(eq(machines.id, id), gt(machines.heldUntil, now())))
      .returning({ id: machines.id }),
  );
  return renewed.length > 0;
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

/** Gives a clinic back, unless it has another owner since. */
export const giveBackClinic = async (
  db: Db,
  { clinicId, machineId, epoch }: { clinicId: string; machineId: string; epoch: number },
): Promise<void> => {
  const own = and(eq(leases.clinicId, clinicId), eq(leases.machineId, machineId), eq(leases.epoch, epoch));
  await run(db, db.update(leases).set({ machineId: null }).where(own));
};

/** The owners of all clinics that have one. */
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
      .where(live(now)),
  );
  return new Map(rows.map(({ clinicId, ...machine }) => [clinicId, machine]));
};

/** The machines that serve now. */
export const listMachines = (db: Db, now: DirectoryNow): Promise<Machine[]> =>
  run(
    db,
    db
      .select({ id: machines.id, address: machines.address, computer: machines.computer })
      .from(machines)
      .where(live(now)),
  );

/** The clinics of a query that no other machine owns. */
export const notElsewhere = (machineId: string, now: DirectoryNow): SQL =>
  sql`not exists (select 1 from leases join machines on machines.id = leases.machine_id
    where leases.clinic_id = ${clinics.id} and machines.id <> ${machineId} and machines.held_until > ${now()})`;
