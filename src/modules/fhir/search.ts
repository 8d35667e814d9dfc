// Pure: the parameters of a search as they were sent, as filters.

import { Failure } from '../../core/endpoint/errors.ts';
import { textWords } from '../../core/search/rules.ts';
import {
  codeSystemOf,
  includedType,
  includesOf,
  type Kind,
  type Resource,
  searchedBy,
  sortsOf,
  type TypeName,
  typeNames,
  valuesAt,
} from './types.ts';

/** One parameter: a resource has to match any of its values. */
interface Filter {
  name: string;
  kind: Kind;
  values: readonly string[];
}

/** What `_include` asks for: the references of a parameter, of one type or of any. */
export interface Include {
  of: TypeName;
  param: string;
  target: TypeName | undefined;
  isIterated: boolean;
}

/** What `_sort` asks for: one parameter, rising or falling. */
export interface Sort {
  by: string;
  isFalling: boolean;
}

export interface Search {
  filters: readonly Filter[];
  includes: readonly Include[];
  /** The maximum number of entries; 0 if only the total is requested. */
  count: number;
  sort: Sort | null;
  /** The parameters that were used, as they were sent. */
  used: readonly [name: string, value: string][];
}

export const maxCount = 100;
const defaultCount = 50;

export const refuseParam = (
  path: string,
  rule: 'invalid' | 'unknown' | 'date' | 'required' = 'invalid',
): Failure => new Failure('invalid_query', { issues: [{ path, rule }] });

/** Splits at commas that no backslash stands before. */
const listValues = (text: string): string[] =>
  (text.match(/(?:\\.|[^,\\])+/g) ?? []).map((one) => one.replaceAll(/\\(.)/g, '$1').trim()).filter(Boolean);

export const countIn = (text: string): number => {
  if (!/^\d{1,9}$/.test(text)) throw refuseParam('_count');
  return Math.min(Number(text), maxCount);
};

const isType = (name: string | undefined): name is TypeName => typeNames.includes(name as TypeName);

const includeIn = (name: string, value: string): Include | undefined => {
  const [of, param = '', target] = value.split(':');
  if (!isType(of) || !Object.hasOwn(includesOf(of), param) || (target !== undefined && !isType(target)))
    return;
  return { of, param, target: target ?? includedType[param], isIterated: name !== '_include' };
};

/** Parameters that have no effect here. */
const withoutEffect = ['_format', '_total', '_pretty'];

/** A name such as `actor:Practitioner` or `patient:Patient.identifier` without its types, and the type of its values. */
const plainName = (
  name: string,
  params: ReturnType<typeof searchedBy>,
): [name: string, type: string | undefined] => {
  const parts = name.split('.').map((part) => /^([\w-]+):([A-Z]\w+)$/.exec(part)?.slice(1) ?? [part]);
  const plain = parts.map(([one]) => one).join('.');
  const type = parts.at(-1)?.[1];
  // Only a reference has a type.
  const isTyped = type === undefined || params[plain]?.[0] === 'reference';
  return Object.hasOwn(params, plain) && isTyped ? [plain, type] : [name, undefined];
};

/**
 * The values of a parameter whose codes have a system, without it; null if any code fits, none if they are codes of
 * another system.
 */
const codesIn = (values: readonly string[], system: string): string[] | null => {
  const tokens = values.map(tokenIn);
  if (tokens.some((one) => one.system === system && one.value === '')) return null;
  return tokens.filter((one) => (one.system ?? system) === system).map(({ value }) => value);
};

/**
 * The search that these parameters ask for. What is unknown is ignored, or refused where the client asked for that
 * (`Prefer: handling=strict`); a modifier that is unknown is always refused, since it would change the result.
 */
export const parseSearch = (
  type: TypeName,
  given: readonly (readonly [name: string, value: string])[],
  isStrict: boolean,
): Search => {
  const params = searchedBy(type);
  const filters: Filter[] = [];
  const includes: Include[] = [];
  const used: [string, string][] = [];
  let count = defaultCount;
  let onlyCount = false;
  let sort: Sort | null = null;

  const take = (name: string, value: string): boolean => {
    // There is no query by a name here, and one is never ignored (R4, 3.1.1.5.2).
    if (name === '_query') throw refuseParam(name, 'unknown');
    if (name === '_count') count = countIn(value);
    else if (name === '_summary' && /^(count|false)$/.test(value)) onlyCount = value === 'count';
    else if (name === '_sort') {
      const by = value.replace(/^-/, '');
      if (sort !== null || !sortsOf(type).includes(by)) return false;
      sort = { by, isFalling: by !== value };
    } else if (/^_include(:iterate|:recurse)?$/.test(name)) {
      const include = includeIn(name, value);
      if (include === undefined) return false;
      includes.push(include);
    } else {
      const [plain, target] = plainName(name, params);
      if (!Object.hasOwn(params, plain)) {
        if (Object.hasOwn(params, plain.split(':')[0] ?? '')) throw refuseParam(name, 'unknown');
        return false;
      }
      const [kind = 'token'] = params[plain] ?? [];
      const given = listValues(value).map((one) => (target && !one.includes('/') ? `${target}/${one}` : one));
      if (given.length === 0) return false;
      const system = codeSystemOf(type, plain);
      const values = system === undefined ? given : codesIn(given, system);
      if (values !== null) filters.push({ name: plain, kind, values });
    }
    return true;
  };

  for (const [name, value] of given) {
    const isUsed = take(name, value);
    if (isUsed) used.push([name, value]);
    else if (isStrict && !withoutEffect.includes(name)) throw refuseParam(name, 'unknown');
  }
  return { filters, includes, count: onlyCount ? 0 : count, sort, used };
};

/** A time as a search compares it: from its first millisecond to the one after its last. */
export type Span = readonly [from: number, to: number];

const dateForm =
  /^(eq|ne|gt|lt|ge|le|sa|eb|ap)?(\d{4})(?:-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+ -]\d\d:\d\d)?)?)?)?$/;

/** The beginning and the end of a span that has none. */
export const [least, most] = [-8.64e15, 8.64e15];

/** The clinic's clock, as far as dates without a zone need it. */
interface Clock {
  instantOf(date: string, minuteOfDay: number): number | null;
  startOf(date: string): number;
  addDays(date: string, days: number): string;
}

const isDate = (date: string): boolean =>
  !Number.isNaN(Date.parse(date)) && new Date(date).toISOString().startsWith(date);

/** What a date of any precision covers; undefined for one that is no date. */
export const coveredBy = (text: string, clock: Clock): Span | undefined => {
  const [, , year = '', month, day, hour, minute, second, fraction, zone] = dateForm.exec(text) ?? [];
  const date = `${year}-${month ?? '01'}-${day ?? '01'}`;
  if (
    year === '' ||
    !isDate(date) ||
    Number(hour ?? 0) > 23 ||
    Number(minute ?? 0) > 59 ||
    Number(second ?? 0) > 60
  )
    return;
  if (hour === undefined) {
    const next = new Date(Date.UTC(Number(year), Number(month ?? 1) - 1, 1));
    if (month === undefined) next.setUTCFullYear(next.getUTCFullYear() + 1);
    else next.setUTCMonth(next.getUTCMonth() + 1);
    const end = day === undefined ? next.toISOString().slice(0, 10) : clock.addDays(date, 1);
    return [clock.startOf(date), clock.startOf(end)];
  }
  const inMinute = Number(second ?? 0) * 1000 + Math.round(Number(fraction ?? 0) * 1000);
  const atMinute =
    zone === undefined
      ? clock.instantOf(date, Number(hour) * 60 + Number(minute))
      : Date.parse(`${date}T${hour}:${minute}:00${zone.replace(' ', '+')}`);
  if (atMinute === null || Number.isNaN(atMinute)) return;
  const from = atMinute + inMinute;
  return [from, from + (second === undefined ? 60_000 : fraction === undefined ? 1000 : 1)];
};

const spansBy = (prefix: string, [from, to]: Span, now: number): Span[] => {
  const around = Math.abs(now - from) / 10;
  const byPrefix: Record<string, Span[]> = {
    ne: [
      [least, from],
      [to, most],
    ],
    gt: [[to, most]],
    sa: [[to, most]],
    ge: [[from, most]],
    lt: [[least, from]],
    eb: [[least, from]],
    le: [[least, to]],
    ap: [[from - around, to + around]],
  };
  return byPrefix[prefix] ?? [[from, to]];
};

/** The times that all filters of a name leave, in order; null without such a filter. */
export const spansOf = (
  search: Pick<Search, 'filters'>,
  name: string,
  clock: Clock,
  now: number,
): Span[] | null => {
  const filters = search.filters.filter((one) => one.name === name);
  if (filters.length === 0) return null;
  return filters.reduce<Span[]>(
    (left, { values }) => {
      const either = values.flatMap((value) => {
        const covered = coveredBy(value, clock);
        if (covered === undefined) throw refuseParam(name, 'date');
        return spansBy(dateForm.exec(value)?.[1] ?? 'eq', covered, now);
      });
      return left
        .flatMap(([from, to]) => either.map(([f, t]): Span => [Math.max(from, f), Math.min(to, t)]))
        .filter(([from, to]) => from < to)
        .sort(([a], [b]) => a - b);
    },
    [[least, most]],
  );
};

/** The id in a reference such as `Patient/1`, `1`, or the whole address of one here; undefined for any other. */
export const idIn = (reference: string, type: TypeName, base: string): string | undefined => {
  const local = reference.startsWith(`${base}/`) ? reference.slice(base.length + 1) : reference;
  const [, named = type, id] =
    /^(?:([A-Z]\w+)\/)?([A-Za-z0-9.-]{1,64})(?:\/_history\/.+)?$/.exec(local) ?? [];
  return named === type ? id : undefined;
};

/**
 * The values that all filters of these names leave; null without such a filter. `read` gives the value that a text
 * means, undefined for one that can mean nothing here.
 */
export const valuesOf = (
  { filters }: Pick<Search, 'filters'>,
  names: readonly string[],
  read: (text: string) => string | undefined,
): string[] | null => {
  const lists = filters
    .filter(({ name }) => names.includes(name))
    .map(({ values }) => values.map(read).filter((value) => value !== undefined));
  const [first, ...others] = lists;
  return first === undefined ? null : first.filter((value) => others.every((list) => list.includes(value)));
};

/** The system and the value of a token such as `system|value`; the system is null if none was given. */
export const tokenIn = (text: string): { system: string | null; value: string } => {
  const at = text.indexOf('|');
  return at < 0 ? { system: null, value: text } : { system: text.slice(0, at), value: text.slice(at + 1) };
};

const matchesOne = (
  resource: Resource,
  { kind, name }: Filter,
  value: string,
  base: string,
  clock: Clock,
  now: number,
) => {
  const [, ...paths] = searchedBy(resource.resourceType as TypeName)[name] ?? [];
  const found = paths.flatMap((path) => valuesAt(resource, path));
  if (kind === 'token') {
    const wanted = tokenIn(value).value.toLowerCase();
    return found.some((one) => String(one).toLowerCase() === wanted);
  }
  if (kind === 'reference')
    return found.some(
      (one) => idIn(value, String(one).split('/')[0] as TypeName, base) === String(one).split('/')[1],
    );
  if (kind === 'string') {
    const words = found.flatMap((one) => textWords(String(one)));
    const sought = textWords(value);
    return sought.length > 0 && sought.every((begun) => words.some((word) => word.startsWith(begun)));
  }
  // A period matches if it contains a searched instant.
  const spans = spansOf({ filters: [{ name, kind, values: [value] }] }, name, clock, now) ?? [];
  return found.some((period) => {
    const { start, end } =
      typeof period === 'string'
        ? { start: period, end: period }
        : (period as { start?: string; end?: string });
    const from = start === undefined ? least : (coveredBy(start, clock)?.[0] ?? least);
    const to = end === undefined ? most : (coveredBy(end, clock)?.[1] ?? most);
    return spans.some(([f, t]) => from < t && f < to);
  });
};

/** Whether a resource is what all these filters ask for. */
export const matchesAll = (
  resource: Resource,
  filters: readonly Filter[],
  base: string,
  clock: Clock,
  now: number,
): boolean =>
  filters.every((filter) =>
    filter.values.some((value) => matchesOne(resource, filter, value, base, clock, now)),
  );
