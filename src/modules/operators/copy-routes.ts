import { CopyRefused, PartOutOfTurn } from '../../core/db/copies/restore.ts';
import { run } from '../../core/db/db.ts';
import { readText } from '../../core/http/body.ts';
import { assertLetGo } from './clinic-routes.ts';
import { type Mounting, readJson } from './mounting.ts';
import type { OperatorNeeds } from './needs.ts';
import { OperatorRefusal } from './refusals.ts';
import { parseBy, partShape, rewindShape } from './shapes.ts';

/** How large a part of a copy may be. */
const largestPartBytes = 16 * 1024 * 1024;

/** Mounts copies of clinics: out, in, and back to a moment of the past. */
export const mountCopies = (
  { mountForSecret, findNamed, recorded }: Mounting,
  { db, clock, hosting }: OperatorNeeds,
): void => {
  mountForSecret('GET', '/clinics/:id/export', async (c, caller) => {
    const clinic = await findNamed(c);
    await run(db, recorded(caller, 'clinic_exported', clinic));
    return {
      status: 200,
      stream: await hosting.dump(clinic),
      headers: {
        'Content-Type': 'application/x-ndjson',
        'Content-Disposition': `attachment; filename="${clinic.id}.ndjson"`,
      },
    };
  });

  mountForSecret('POST', '/clinics/:id/restore', async (c, caller) => {
    const clinic = await findNamed(c);
    const { after } = parseBy(partShape(), c.req.query(), 'invalid_query');
    assertLetGo(clinic, clock());
    const text = await readText(c.req, largestPartBytes);
    try {
      const { lines, isDone } = await hosting.restore(clinic, { after, text });
      if (isDone) await run(db, recorded(caller, 'clinic_restored', clinic));
      return { status: 200, data: { lines, done: isDone } };
    } catch (error) {
      if (error instanceof PartOutOfTurn)
        throw new OperatorRefusal('part_out_of_turn', { lines: error.lines });
      if (error instanceof CopyRefused) throw new OperatorRefusal('copy_refused', { detail: error.message });
      throw error;
    }
  });

  mountForSecret('POST', '/clinics/:id/rewind', async (c, caller) => {
    const clinic = await findNamed(c);
    const to = parseBy(rewindShape(), await readJson(c));
    if (hosting.rewind === null) throw new OperatorRefusal('rewind_not_offered');
    assertLetGo(clinic, clock());
    const undo = await hosting.rewind(clinic, to);
    await run(db, recorded(caller, 'clinic_rewound', clinic));
    await hosting.changed(clinic.id);
    return { status: 200, data: { id: clinic.id, undo } };
  });
};
