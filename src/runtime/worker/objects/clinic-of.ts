import { locationHint } from '../../../modules/clinics/location.ts';
import type { ClinicEntry } from '../../../modules/clinics/queries.ts';
import type { ArchiveCalls, ClinicCalls, ObjectBindings, SandboxCalls } from './calls.ts';

type Named = Pick<ClinicEntry, 'id' | 'timeZone'>;

/** The object of a name; it is made where the hint says when it is first called. */
const objectOf = <C>(
  objects: { idFromName(name: string): object; get(id: object, options?: { locationHint?: string }): C },
  { id, timeZone }: Named,
): C => {
  const hint = locationHint(timeZone);
  return objects.get(objects.idFromName(id), { ...(hint !== undefined && { locationHint: hint }) });
};

/** The object of a clinic. */
export const clinicOf = ({ CLINIC }: ObjectBindings, clinic: Named): ClinicCalls => objectOf(CLINIC, clinic);

/** The object of its archive; undefined where the deployment has none. */
export const archiveOf = ({ ARCHIVE }: ObjectBindings, clinic: Named): ArchiveCalls | undefined =>
  ARCHIVE && objectOf(ARCHIVE, clinic);

/** The object of its sandbox; undefined where the deployment has none. */
export const sandboxOf = ({ SANDBOXES }: ObjectBindings, clinic: Named): SandboxCalls | undefined =>
  SANDBOXES && objectOf(SANDBOXES, clinic);
