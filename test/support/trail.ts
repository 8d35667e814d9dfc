import { runAll } from '../../src/core/db/db.ts';
import { securityEvents } from '../../src/core/tables/accounts.ts';
import { auditBlocks } from '../../src/core/tables/audit.ts';
import { recordSecurityEvent } from '../../src/modules/auth/audit/queries.ts';
import { retainedMs } from '../../src/modules/auth/audit/rules.ts';
import { sealTrail } from '../../src/modules/auth/audit/seal.ts';
import { verifyBlocks } from '../../src/modules/auth/audit/verify.ts';
import type { World } from './world.ts';

/** Writes lines as a request would. */
export const writeLines = async ({ db, deps, clock }: World, count: number): Promise<void> => {
  for (let line = 0; line < count; line++) {
    const event = {
      writeId: deps.newId(),
      type: 'record_read' as const,
      userId: null,
      actorId: deps.newId(),
      patientId: deps.newId(),
      route: 'GET /v1/patients/{id}',
      now: clock.now + line,
    };
    await runAll(db, [recordSecurityEvent(db, event)]);
  }
};

export const seal = ({ deps, clock }: World): Promise<void> => sealTrail(deps, clock.now);

/** Blocks of so many lines each, one after another. */
export const writeBlocks = async (world: World, ...sizes: number[]): Promise<void> => {
  for (const size of sizes) {
    await writeLines(world, size);
    await seal(world);
    world.clock.now += 60_000;
  }
};

/** The faults of the whole chain, page by page: `line_changed 2`. */
export const verifyAll = async (
  { deps, clock }: World,
  maxBlocks = 100,
  maxLines = 5_000,
): Promise<string[]> => {
  const found: string[] = [];
  for (let after = 0; ; ) {
    const checked = await verifyBlocks(deps, clock.now, { after, maxBlocks, maxLines });
    found.push(...checked.findings.map(({ kind, block }) => `${kind} ${block}`));
    if (checked.unsealed !== null) return found;
    after = checked.after;
  }
};

export const blocksOf = async ({ db }: World) =>
  (await db.select().from(auditBlocks)).sort((a, b) => a.number - b.number);

export const linesOf = async ({ db }: World) =>
  (await db.select().from(securityEvents)).sort((a, b) => a.sequence - b.sequence);

/** The clock when everything that is there now may be deleted. */
export const expire = ({ clock }: World): void => {
  clock.now += retainedMs;
};

/** The fields of a hand-written line beside its number. */
export const rest = { writeId: 'put-in', type: 'login', occurredAt: 1 } as const;
