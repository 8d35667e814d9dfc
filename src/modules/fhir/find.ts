import { resolveRules } from '../../core/clinic/rules.ts';
import { run, runAll } from '../../core/db/db.ts';
import { findClinic } from '../catalog/slots/queries.ts';
import { baseUrl } from './base.ts';
import { searchAppointments } from './find-appointments.ts';
import { patientsByIds, searchPatients } from './find-patients.ts';
import {
  type Asking,
  comparePlaces,
  type FoundPage,
  listed,
  nextAfter,
  type Position,
  rowsAfter,
} from './found.ts';
import { findDoctors, findSchedules, findSessions } from './queries.ts';
import * as resources from './resources.ts';
import { type Include, matchesAll, type Search, valuesOf } from './search.ts';
import { includesOf, type Resource, searchedBy, type TypeName, valuesAt } from './types.ts';

type Catalog = Exclude<TypeName, 'Patient' | 'Slot' | 'Appointment'>;

const withClinic = async ({ deps }: Asking, toResource: typeof resources.toOrganization) =>
  (await run(deps.db, findClinic(deps.db, {}))).map(toResource);

const loaders: Record<Catalog, (asking: Asking, ids: string | null) => Promise<Resource[]>> = {
  Organization: (asking) => withClinic(asking, resources.toOrganization),
  Location: (asking) => withClinic(asking, resources.toLocation),
  Practitioner: async ({ deps }, ids) =>
    (await run(deps.db, findDoctors(deps.db, ids))).map(resources.toPractitioner),
  PractitionerRole: async ({ deps }, ids) =>
    (await run(deps.db, findDoctors(deps.db, ids))).map(resources.toPractitionerRole),
  HealthcareService: async ({ deps }, ids) =>
    (await run(deps.db, findSessions(deps.db, ids))).map(resources.toHealthcareService),
  Schedule: async ({ deps, now }, ids) => {
    const {
      clinics: [clinic],
      rows,
    } = await runAll(deps.db, { clinics: findClinic(deps.db, {}), rows: findSchedules(deps.db, ids) });
    const today = deps.clinicTime.dateOf(now);
    const { maxAdvanceDays } = resolveRules(deps.config, clinic ?? {});
    const horizon = [today, deps.clinicTime.addDays(today, maxAdvanceDays)] as const;
    return rows.map((row) => resources.toSchedule(row, horizon));
  },
};

const isCatalog = (type: TypeName): type is Catalog => Object.hasOwn(loaders, type);

/** One resource of the catalogue by its id; undefined if there is none. */
export const readCatalog = async (asking: Asking, type: Catalog, id: string): Promise<Resource | undefined> =>
  (await loaders[type](asking, JSON.stringify([id]))).find((resource) => resource.id === id);

/** By what a resource is sorted: a period by its beginning. */
const sortKey = (one: Resource, type: Catalog, by: string): string => {
  const [, path = 'id'] = searchedBy(type)[by] ?? [];
  const [value = ''] = valuesAt(one, path);
  return String((value as { start?: string }).start ?? value).toLowerCase();
};

const searchCatalog = async (
  asking: Asking,
  type: Catalog,
  { filters, count, sort }: Search,
  after: Position,
): Promise<FoundPage> => {
  const { deps, now } = asking;
  const base = baseUrl(deps);
  const ids = listed(valuesOf({ filters }, ['_id'], (id) => id));
  const found = (await loaders[type](asking, ids)).filter((one) =>
    matchesAll(one, filters, base, deps.clinicTime, now),
  );
  const { by, isFalling } = sort ?? { by: '_id', isFalling: false };
  const place = (one: Resource) => [sortKey(one, type, by), one.id] as const;
  const sorted = found.sort((a, b) => comparePlaces(place(a), place(b)) * (isFalling ? -1 : 1));
  const left = rowsAfter(sorted, place, after, isFalling);
  const matches = left.slice(0, count);
  return { matches, total: found.length, next: nextAfter(left, matches, place) };
};

/** One page of what a search finds; slots are found elsewhere, since their reads come with the caller's. */
export const searchPage = (
  asking: Asking,
  type: Exclude<TypeName, 'Slot'>,
  search: Search,
  after: Position,
): Promise<FoundPage> => {
  if (isCatalog(type)) return searchCatalog(asking, type, search, after);
  return type === 'Patient'
    ? searchPatients(asking, search, after)
    : searchAppointments(asking, search, after);
};

const maxSteps = 4;

/** The resources that includes add to these matches, each once; those that the caller may not see stay out. */
export const findIncluded = async (
  asking: Asking,
  includes: readonly Include[],
  matches: readonly Resource[],
): Promise<Resource[]> => {
  const known = new Set(matches.map(({ resourceType, id }) => `${resourceType}/${id}`));
  const added: Resource[] = [];
  let from: readonly Resource[] = matches;
  for (let step = 0; step < maxSteps && from.length > 0; step += 1) {
    const wanted = includes
      .filter(({ isIterated }) => isIterated || step === 0)
      .flatMap(({ of, param, target }) =>
        from
          .filter(({ resourceType }) => resourceType === of)
          .flatMap((one) => (includesOf(of)[param] ?? []).flatMap((path) => valuesAt(one, path)))
          .filter((reference) => target === undefined || String(reference).startsWith(`${target}/`)),
      )
      .map(String)
      .filter((reference) => !known.has(reference));
    for (const reference of wanted) known.add(reference);
    const byType = Map.groupBy(new Set(wanted), (reference) => reference.split('/')[0] as TypeName);
    const loaded = await Promise.all(
      [...byType].map(([type, references]) => {
        const ids = references.map((reference) => reference.slice(type.length + 1));
        if (type === 'Patient') return patientsByIds(asking, ids);
        return isCatalog(type) ? loaders[type](asking, JSON.stringify(ids)) : [];
      }),
    );
    from = loaded.flat();
    added.push(...from);
  }
  return added;
};
