import * as z from 'zod/mini';
import { instantSince } from '../../../core/clinic/since.ts';
import { run, runAll } from '../../../core/db/db.ts';
import type { Deps } from '../../../core/deps.ts';
import type { QueryOf } from '../../../core/endpoint/endpoint.ts';
import { Failure } from '../../../core/endpoint/errors.ts';
import { once } from '../../../core/endpoint/once.ts';
import { decodeCursor } from '../../../core/http/cursor.ts';
import { buildPage, defaultLimit, namePage, pageStart } from '../../../core/http/page.ts';
import { soughtIn } from '../../../core/search/rules.ts';
import { deriveHashes } from '../numbers/numbers.ts';
import { numberIn } from '../record/rules.ts';
import { patientView, type RecordRow } from '../record/views.ts';
import { FindPatients } from './contract.ts';
import {
  findByExternalId,
  findByNumber,
  findChangedPatients,
  findPatients,
  searchPatients,
} from './queries.ts';

type Query = QueryOf<typeof FindPatients>;
type FoundRow = RecordRow & { word?: string };

const wordPosition = once(() => z.tuple([z.string(), z.string()]));

/** The hashes of a whole number that was searched for, and the words as a medical record number. */
const numbersIn = async (deps: Deps, q: string) => {
  const number = numberIn(q);
  const hashes = async (kind: 'national_id' | 'insurance_number', text: string | null) =>
    JSON.stringify(text === null ? [] : await deriveHashes(deps, kind, text));
  return {
    nationalIds: await hashes(
      'national_id',
      number !== null && 'nationalId' in number ? number.nationalId : null,
    ),
    insuranceNumbers: await hashes(
      'insurance_number',
      number !== null && 'insuranceNumber' in number ? number.insuranceNumber : null,
    ),
    recordNumber: q.trim().toUpperCase(),
  };
};

const searched = async (
  deps: Deps,
  q: string,
  { limit = defaultLimit, cursor }: Query,
): Promise<FoundRow[]> => {
  const [afterWord, afterId] = cursor === undefined ? ['', ''] : decodeCursor(cursor, wordPosition);
  const { numbered, found } = await runAll(deps.db, {
    numbered: findByNumber(deps.db, { ...(await numbersIn(deps, q)), limit: limit + 1 }),
    found: searchPatients(deps.db, { ...soughtIn(q), afterWord, afterId, limit: limit + 1 }),
  });
  return numbered.length > 0 && cursor === undefined ? numbered : found;
};

const changePosition = once(() => z.tuple([z.number(), z.string()]));

/** Those who were changed since, in the order of their last change. */
const changedSince = async (deps: Deps, query: Query): Promise<FoundRow[]> => {
  if (query.q !== undefined) throw new Failure('invalid_query', { issues: [{ path: 'q', rule: 'invalid' }] });
  const from = instantSince(deps.clinicTime, query.updated_since);
  const { position, limit } = pageStart(query, changePosition, [from, ''] as [number, string]);
  // A forged cursor never shows rows from before the first page.
  const [since, afterId] = position[0] < from ? [from, ''] : position;
  return run(deps.db, findChangedPatients(deps.db, { since, afterId, limit }));
};

/** Those with an id of another system: so few that they are one page. */
const ofOtherSystem = ({ db }: Deps, query: Query, externalId: string): Promise<FoundRow[]> => {
  const also = (['q', 'updated_since', 'cursor'] as const).find((name) => query[name] !== undefined);
  if (also !== undefined) throw new Failure('invalid_query', { issues: [{ path: also, rule: 'invalid' }] });
  return run(db, findByExternalId(db, { externalId, limit: query.limit ?? defaultLimit }));
};

/** A page of patients: all by name, those that match `q`, those changed since, or those with an id of another system. */
export const patientsPage = async (deps: Deps, query: Query) => {
  const isByChange = query.updated_since !== undefined;
  const rows: FoundRow[] =
    query.external_id !== undefined
      ? await ofOtherSystem(deps, query, query.external_id)
      : isByChange
        ? await changedSince(deps, query)
        : query.q === undefined
          ? await run(deps.db, findPatients(deps.db, namePage(query)))
          : await searched(deps, query.q, query);
  const { shown, ...page } = buildPage(
    rows,
    FindPatients.path,
    { ...query },
    ({ word, name, id, updatedAt }) => [isByChange ? updatedAt : (word ?? name), id],
  );
  return {
    status: 200 as const,
    data: await Promise.all(shown.map((row) => patientView(deps, row))),
    ...page,
  };
};
