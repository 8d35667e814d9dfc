import { unsettleArchive } from '../../../core/archive/archive.ts';
import { CopyRefused, PartOutOfTurn } from '../../../core/db/copies/restore.ts';
import type { Db } from '../../../core/db/db.ts';
import { newId } from '../../../core/db/ids.ts';
import { openCalled } from '../../../core/db/object.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import type { Config } from '../../../core/settings/config.ts';
import { type ClinicEntry, findClinic, insertClinic } from '../../../modules/clinics/queries.ts';
import { changeSettings } from '../../../modules/clinics/settings.ts';
import type { ClinicHosting } from '../../../modules/operators/hosting.ts';
import { OperatorRefusal } from '../../../modules/operators/refusals.ts';
import { parseBindings } from '../settings.ts';
import { assertClasses, type Described, type ObjectBindings } from './calls.ts';
import { archiveOf, clinicOf, sandboxOf } from './clinic-of.ts';
import { FrontHasher } from './front-hasher.ts';

interface Needs {
  bindings: ObjectBindings;
  config: Config;
  directory: Db;
  /** Lets this front forget what it knows of the directory. */
  forget: () => void;
}

/** A clinic as the directory will have it, for its object, which is filled before. */
const entryOf = (given: Pick<ClinicEntry, 'id' | 'name' | 'timeZone' | 'hosts' | 'state'>): ClinicEntry => ({
  ...given,
  stateSince: 0,
  settings: {},
  file: null,
  schema: null,
  dueAt: null,
  usedAt: null,
  problem: null,
  createdAt: 0,
});

/** One that does not answer now is shown with the others. */
const unknown = (error: unknown): Described => ({
  ...{
    bytes: null,
    archiveBytes: null,
    schema: null,
    isCurrent: false,
    bookingsToday: null,
    wakesAt: null,
    restoredLines: null,
  },
  problem: error instanceof Error ? error.message : 'it does not answer',
});

/** What a front can tell operators of the clinics in objects, and do for them. */
export const createObjectHosting = ({ bindings, config, directory, forget }: Needs): ClinicHosting => {
  const originOf = (hosts: readonly string[]): string => `https://${hosts[0] ?? ''}`;
  return {
    timeZone: config.CLINIC_TIME_ZONE,
    look: async (clinic) => {
      const { wakesAt, ...described } = await clinicOf(bindings, clinic).describe().catch(unknown);
      return { ...described, dueAt: wakesAt, failures: null, backup: null, owner: null };
    },
    add: async (described, recorded) => {
      const { name, hosts, timeZone = config.CLINIC_TIME_ZONE, demo = false, id = newId() } = described;
      const { state = 'open' } = described;
      if (demo && bindings.DEMO !== 'on')
        throw new Failure('validation_failed', { issues: [{ path: 'demo', rule: 'invalid' }] });
      const entry = entryOf({ id, name, timeZone, hosts, state });
      // Its object first, and then its line in the directory, from which it is served.
      const link = await clinicOf(bindings, entry).create(
        entry,
        { demo, origin: originOf(hosts) },
        new FrontHasher(),
      );
      await insertClinic(directory, entry, Date.now(), [recorded(id)]);
      return { id, link };
    },
    link: (clinic) => clinicOf(bindings, clinic).link(clinic, originOf(clinic.hosts)),
    changed: async (id) => {
      forget();
      const clinic = await findClinic(directory, id);
      // It works by what it was told while nobody asks.
      if (clinic !== null) await clinicOf(bindings, clinic).note(clinic);
    },
    settle: async (clinic, changes) => {
      assertClasses(bindings, changes);
      const { secret, dataKey } = parseBindings(bindings);
      return changeSettings(clinic, changes, config, { secret, dataKey });
    },
    dump: (clinic) => clinicOf(bindings, clinic).dump(),
    restore: async (clinic, part) => {
      const taken = await clinicOf(bindings, clinic).restore(clinic, part);
      if (!('refused' in taken)) return taken;
      throw taken.lines === null ? new CopyRefused(taken.refused) : new PartOutOfTurn(taken.lines);
    },
    rewind: async (clinic, to) => {
      const archive = archiveOf(bindings, clinic);
      // The archive stays as it is: brought back too, to another moment by as little as that of one step, it would not have what its
      // clinic has no more. Ended before the next line, it is compared with what stands, which changes nothing.
      const isArchived = archive !== undefined && (await unsettleArchive(openCalled(archive)));
      const answer = await clinicOf(bindings, clinic).rewind(clinic, to);
      if ('refused' in answer) throw new OperatorRefusal('rewind_not_offered', { detail: answer.refused });
      // It ends in the middle of this call. What the directory says now is noted in the past that it is in then.
      await clinicOf(bindings, clinic)
        .restart()
        .catch(() => {});
      if (isArchived) await clinicOf(bindings, clinic).rememberArchive(clinic);
      return answer.undo;
    },
    erase: async (clinic) => {
      await clinicOf(bindings, clinic).erase();
      // After its clinic, which adds nothing to them any more.
      await archiveOf(bindings, clinic)?.erase();
      await sandboxOf(bindings, clinic)?.erase();
    },
  };
};
