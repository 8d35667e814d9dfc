import { violatedUnique } from '../../core/db/conflict.ts';
import { run } from '../../core/db/db.ts';
import { Failure } from '../../core/endpoint/errors.ts';
import { SettingError } from '../../core/settings/parse-settings.ts';
import {
  type ClinicEntry,
  changeClinic,
  countClinics,
  deleteClinic,
  findClinic,
  replaceHosts,
  searchClinics,
  setState,
} from '../clinics/queries.ts';
import { msUntilLetGo } from '../clinics/rules.ts';
import { type Mounting, readJson } from './mounting.ts';
import type { OperatorNeeds } from './needs.ts';
import { OperatorRefusal } from './refusals.ts';
import { clinicsOfPage } from './rules.ts';
import { clinicChangeShape, listShape, newClinicShape, parseBy } from './shapes.ts';

/** How many clinics are looked at together. */
const lookedAtOnce = 4;

/** In turns of a few: each may open a database. */
const inTurns = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> => {
  const done: R[] = [];
  for (let at = 0; at < items.length; at += lookedAtOnce)
    done.push(...(await Promise.all(items.slice(at, at + lookedAtOnce).map(work))));
  return done;
};

const taken = (path: 'host' | 'hosts' | 'id') =>
  new Failure('validation_failed', { issues: [{ path, rule: 'taken' }] });

/** Throws unless a clinic has been closed for so long that nobody has its database open. */
export const assertLetGo = (clinic: ClinicEntry, now: number): void => {
  if (clinic.state !== 'closed') throw new OperatorRefusal('clinic_open');
  const leftMs = msUntilLetGo(clinic, now);
  if (leftMs > 0) throw new OperatorRefusal('clinic_in_use', { seconds: Math.ceil(leftMs / 1000) });
};

export const mountClinics = (
  { mountFor, mountForSecret, findNamed, recorded, view }: Mounting,
  { db, clock, hosting }: OperatorNeeds,
): void => {
  const assertFree = async (names: readonly string[], ownId: string | null, path: 'host' | 'hosts') => {
    for (const host of names) {
      const owner = await findClinic(db, host);
      if (owner !== null && owner.id !== ownId) throw taken(path);
    }
  };
  const shown = async (id: string) => {
    await hosting.changed(id);
    const clinic = await findClinic(db, id);
    if (clinic === null) throw new Failure('not_found');
    return view(clinic);
  };

  mountFor('GET', '/clinics', async (c) => {
    const { q = '', state, page = 1 } = parseBy(listShape(), c.req.query(), 'invalid_query');
    const offset = (page - 1) * clinicsOfPage;
    const [counts, { found, total }] = await Promise.all([
      countClinics(db),
      searchClinics(db, { text: q.trim(), state, limit: clinicsOfPage, offset }),
    ]);
    return {
      status: 200,
      data: await inTurns(found, view),
      meta: { page, pages: Math.max(1, Math.ceil(total / clinicsOfPage)), total, ...counts },
    };
  });
  mountFor('GET', '/clinics/:id', async (c) => ({ status: 200, data: await view(await findNamed(c)) }));

  mountFor('POST', '/clinics', async (c, caller) => {
    const given = parseBy(newClinicShape(), await readJson(c));
    const { name, host, hosts = host === undefined ? [] : [host], time_zone: timeZone, ...rest } = given;
    await assertFree(hosts, null, host === undefined ? 'hosts' : 'host');
    if (rest.id !== undefined && (await findClinic(db, rest.id)) !== null) throw taken('id');
    const { id, link } = await hosting
      .add({ ...rest, name, hosts, timeZone }, (added) =>
        recorded(caller, 'clinic_added', { id: added, name }),
      )
      .catch((error: unknown) => {
        throw violatedUnique(error) === 'hosts.host' ? taken('host') : error;
      });
    return { status: 201, data: { ...(await shown(id)), link, admin: rest.admin ?? null } };
  });

  for (const [verb, state, act] of [
    ['close', 'closed', 'clinic_closed'],
    ['open', 'open', 'clinic_opened'],
  ] as const)
    mountFor('POST', `/clinics/:id/${verb}`, async (c, caller) => {
      const before = await findNamed(c);
      const line = recorded(caller, act, before);
      // Opening one that is broken lets it be tried again at once.
      if (before.state !== state || verb === 'open') await setState(db, before.id, state, clock(), [line]);
      else await run(db, line);
      return { status: 200, data: await shown(before.id) };
    });

  mountFor('POST', '/clinics/:id/link', async (c, caller) => {
    const clinic = await findNamed(c);
    const link = await hosting.link(clinic);
    await run(db, recorded(caller, 'clinic_linked', clinic));
    return { status: 200, data: { id: clinic.id, link } };
  });

  mountFor('PATCH', '/clinics/:id', async (c, caller) => {
    const clinic = await findNamed(c);
    const { name, hosts, settings: changes } = parseBy(clinicChangeShape(), await readJson(c));
    await assertFree(hosts ?? [], clinic.id, 'hosts');
    const settings =
      changes &&
      (await hosting.settle(clinic, changes).catch((error: unknown) => {
        if (error instanceof SettingError)
          throw new OperatorRefusal('settings_refused', { detail: error.message });
        throw error;
      }));
    const line = recorded(caller, 'clinic_changed', { id: clinic.id, name: name ?? clinic.name });
    if (hosts !== undefined) await replaceHosts(db, clinic.id, hosts, [line]);
    if (name !== undefined || settings !== undefined)
      await changeClinic(
        db,
        clinic.id,
        { ...(name !== undefined && { name }), ...(settings !== undefined && { settings }) },
        hosts === undefined ? [line] : [],
      );
    return { status: 200, data: await shown(clinic.id) };
  });

  mountForSecret('DELETE', '/clinics/:id', async (c, caller) => {
    const clinic = await findNamed(c);
    assertLetGo(clinic, clock());
    // Cut short, it stays in the list, without its data, and is deleted again.
    await hosting.erase(clinic);
    await deleteClinic(db, clinic.id, [recorded(caller, 'clinic_deleted', clinic)]);
    await hosting.changed(clinic.id);
    return { status: 200, data: { id: clinic.id, left: (await countClinics(db)).all } };
  });
};
