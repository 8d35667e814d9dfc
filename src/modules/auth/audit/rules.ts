import { dayMs, hourMs } from '../../../core/clinic/durations.ts';
import type { Role } from '../../../core/endpoint/endpoint.ts';
import type { ActorKind } from '../../../core/tables/words.ts';

/** The person who makes a change, the request, and the time. */
export interface Author {
  actorId: string;
  role: Role | 'api_key';
  /** Null for an API key. */
  deviceLoginId: string | null;
  requestId: string;
  now: number;
}

/** The names of the fields in a change, for the audit trail; never their values. */
export const fieldsIn = ({ version: _, ...given }: Readonly<Record<string, unknown>>): string =>
  Object.keys(given)
    .filter((name) => given[name] !== undefined)
    .join(',');

/** The reader, as a line of the trail names them. */
export interface Reader {
  id: string;
  kind: ActorKind;
}

/** Lists and feeds have one line for each of these, in milliseconds: an hour. */
export const listSpanMs = hourMs;

/** The position and size of a page say nothing about the search. */
const ofPaging: readonly string[] = ['limit', 'cursor', 'after', 'wait'];

/** The parameters of a list request, in a fixed order and without paging, as names and texts. */
export const listFilters = (...given: readonly (object | undefined)[]): [name: string, value: string][] =>
  given
    .flatMap((part) => Object.entries(part ?? {}))
    .filter(([name, value]) => value !== undefined && !ofPaging.includes(name))
    .map(([name, value]): [string, string] => [name, String(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1));

/** Fields whose values are words of the service. */
const ofWords: readonly string[] = [
  'status',
  'visit',
  'order',
  'role',
  'type',
  'route',
  'kind',
  'by',
  'include',
  'format',
];
const idDateOrFlag =
  /^(?:[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|\d{4}-\d\d-\d\d(?:T[\d:.]{5,18}(?:Z|[+-]\d\d:\d\d))?|true|false)$/;

/**
 * Whether a line may store this unchanged: ids, dates, instants and our own words. Anything else may be a person's name
 * or number.
 */
export const isPlain = ([name, value]: readonly [string, string]): boolean =>
  ofWords.includes(name) || idDateOrFlag.test(value);

/** The possible faults of the chain, the worst last. */
export const breaches = [
  'other_key',
  'not_sealed',
  'line_missing',
  'line_added',
  'line_changed',
  'block_missing',
  'block_changed',
  'link_broken',
  'seal_wrong',
] as const;
export type Breach = (typeof breaches)[number];

/** One thing that is not as it was written, and where. */
export interface Finding {
  kind: Breach;
  block: number | null;
}

export const verdicts = ['sound', 'other_key', 'broken'] as const;

export const judgeFindings = (findings: readonly Finding[]): (typeof verdicts)[number] => {
  if (findings.some(({ kind }) => kind !== 'other_key')) return 'broken';
  return findings.length === 0 ? 'sound' : 'other_key';
};

/** How long lines are retained, in milliseconds: two years. A block whose latest line is older may be gone. */
export const retainedMs = 730 * dayMs;

/** How long a line may wait to be sealed, in milliseconds, before that is reported: an hour of jobs that did not run. */
export const unsealedMs = hourMs;

/** The maximum of lines in a block: as many as one step of retention deletes. */
export const linesABlock = 500;
