// Pure: what a client can rely on, read out of an OpenAPI document as one line a fact. Texts for people and examples are
// left out, so that only what programs see makes a difference.

/** A field or parameter of a request, or a field of an answer. */
export interface Fact {
  isRequired: boolean;
  /** With their formats, such as `string:date`. */
  types: readonly string[];
  /** The only values; null where any value of the type may stand. */
  values: readonly string[] | null;
  limits: Readonly<Record<string, string>>;
}

export interface Surface {
  /** What there is to say of an operation as a whole, such as its scope. */
  operations: Map<string, Map<string, string>>;
  /** By operation, side (`>` request, `<` answer) and path. */
  facts: Map<string, Fact>;
}

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape.
type Json = any;

const limitNames = [
  'maxLength',
  'minLength',
  'maximum',
  'minimum',
  'maxItems',
  'minItems',
  'maxProperties',
  'minProperties',
  'pattern',
];
const methods = ['get', 'post', 'put', 'patch', 'delete'];

const isOptionalAlternative = ({ type }: Json): boolean => type === 'null';

/** Whether it answers those who have not logged in. */
const isOpen = ({ security = [] }: Json): boolean =>
  security.length === 0 || security.some((one: Json) => Object.keys(one).length === 0);

/** The facts of an OpenAPI 3.1 document. */
export const surfaceOf = (document: Json): Surface => {
  const operations: Surface['operations'] = new Map();
  const facts: Surface['facts'] = new Map();
  const resolve = (value: Json): Json => {
    if (value?.$ref === undefined) return value;
    const found = value.$ref
      .slice(2)
      .split('/')
      .reduce(
        (at: Json, key: string) => at?.[decodeURIComponent(key.replaceAll('~1', '/').replaceAll('~0', '~'))],
        document,
      );
    return resolve(found);
  };

  /** The alternatives of a schema, each without alternatives of its own. */
  const alternatives = (given: Json): Json[] => {
    const schema = resolve(given) ?? {};
    const { anyOf, oneOf, allOf, ...own } = schema;
    const inner = [...(anyOf ?? []), ...(oneOf ?? [])];
    if (inner.length > 0) return inner.flatMap(alternatives).map((one) => ({ ...own, ...one }));
    return allOf === undefined ? [own] : [Object.assign({}, own, ...allOf.map(resolve))];
  };

  const typesIn = ({ type, format, const: only }: Json): string[] =>
    [type ?? (only === undefined ? 'any' : typeof only)]
      .flat()
      .map((one: string) => (format === undefined || one === 'null' ? one : `${one}:${format}`));

  const walk = (schema: Json, at: string, isRequired: boolean, above: readonly Json[]): void => {
    const every = alternatives(schema);
    const plain = every.filter((one) => !isOptionalAlternative(one));
    const listed = plain.map(({ enum: words, const: only }) => words ?? (only === undefined ? null : [only]));
    const before = facts.get(at);
    const types = new Set([...(before?.types ?? []), ...every.flatMap(typesIn)]);
    const values =
      listed.includes(null) || before?.values === null ? null : [...(before?.values ?? []), ...listed.flat()];
    const [only = {}] = plain;
    const limits = plain.length === 1 ? only : {};
    facts.set(at, {
      isRequired: isRequired && (before?.isRequired ?? true),
      types: [...types].sort(),
      values: values && [...new Set(values.map(String))].sort(),
      limits: Object.fromEntries(
        limitNames.filter((name) => limits[name] !== undefined).map((name) => [name, String(limits[name])]),
      ),
    });
    for (const one of plain) {
      if (above.includes(one)) continue;
      for (const [name, field] of Object.entries(one.properties ?? {}))
        walk(field, `${at}.${name}`, one.required?.includes(name) ?? false, [...above, one]);
      if (one.items !== undefined) walk(one.items, `${at}[]`, true, [...above, one]);
      if (typeof one.additionalProperties === 'object')
        walk(one.additionalProperties, `${at}.*`, false, [...above, one]);
    }
  };

  for (const [path, item] of Object.entries<Json>(document.paths))
    for (const method of methods.filter((name) => item[name] !== undefined)) {
      const operation = item[method];
      const name = `${method.toUpperCase()} ${path}`;
      const scopes = (operation.security ?? []).flatMap((one: Json) => Object.values(one).flat());
      operations.set(
        name,
        new Map([
          ['summary', operation.summary ?? ''],
          ...(scopes.length > 0 ? ([['scope', scopes.join(' ')]] as const) : []),
          ...(isOpen(operation) ? ([['open', 'yes']] as const) : []),
          ...(operation['x-sunset'] === undefined ? [] : ([['sunset', operation['x-sunset']]] as const)),
        ]),
      );
      for (const given of operation.parameters ?? []) {
        const parameter = resolve(given);
        // A header that may be left out is described, and no promise.
        if (parameter.in === 'header' && parameter.required !== true) continue;
        walk(
          parameter.schema,
          `${name} > ${parameter.in}.${parameter.name}`,
          parameter.required === true,
          [],
        );
      }
      const body = operation.requestBody && resolve(operation.requestBody);
      const sent = body?.content?.['application/json']?.schema;
      if (sent !== undefined) walk(sent, `${name} > body`, body.required === true, []);
      for (const [status, response] of Object.entries<Json>(operation.responses)) {
        const { content = {} } = resolve(response);
        const answered = content['application/json']?.schema;
        if (Number(status) < 400) {
          facts.set(`${name} < ${status}`, {
            isRequired: true,
            types: Object.keys(content).sort(),
            values: null,
            limits: {},
          });
          if (answered !== undefined) walk(answered, `${name} < ${status} body`, true, []);
        } else if (answered !== undefined)
          for (const one of alternatives(answered)) {
            const code = resolve(one.properties?.code) ?? {};
            for (const word of code.enum ?? (code.const === undefined ? [] : [code.const]))
              facts.set(`${name} ! ${status} ${word}`, {
                isRequired: false,
                types: [],
                values: null,
                limits: {},
              });
          }
      }
    }
  return { operations, facts };
};

/** Without what is empty at the end. */
const factLine = (at: string, { isRequired, types, values, limits }: Fact): string => {
  const parts = [
    at,
    isRequired ? 1 : 0,
    types.join('|'),
    values,
    Object.keys(limits).length > 0 ? limits : null,
  ];
  while (parts.at(-1) === null || parts.at(-1) === '') parts.pop();
  return JSON.stringify(parts);
};

/** The surface as a file has it: a line for each operation, and below it a line for each of its facts. */
export const writeSurface = ({ operations, facts }: Surface): string => {
  const below = Map.groupBy(facts, ([at]) => at.split(' ').slice(0, 2).join(' '));
  return [...operations]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, about]) => [
      JSON.stringify({ operation: name, ...Object.fromEntries(about) }),
      ...(below.get(name) ?? []).map(([at, fact]) => factLine(at.slice(name.length + 1), fact)).sort(),
    ])
    .map((line) => `${line}\n`)
    .join('');
};

export const readSurface = (text: string): Surface => {
  const surface: Surface = { operations: new Map(), facts: new Map() };
  let operation = '';
  for (const line of text.split('\n').filter(Boolean)) {
    const read = JSON.parse(line);
    if (!Array.isArray(read)) {
      const { operation: name, ...about } = read;
      operation = name;
      surface.operations.set(name, new Map(Object.entries<string>(about)));
      continue;
    }
    const [at, isRequired, types = '', values = null, limits] = read;
    surface.facts.set(`${operation} ${at}`, {
      isRequired: isRequired === 1,
      types: types === '' ? [] : types.split('|'),
      values,
      limits: limits ?? {},
    });
  }
  return surface;
};
