import { openApiDocument } from '../../src/interface/reference/document.ts';

/** The document's description of one value: a field, a parameter's schema, or a header. */
export interface Described {
  examples?: unknown[];
  default?: unknown;
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: true;
  schema: Described;
}

interface BodySchema {
  properties?: Record<string, Described>;
}

interface RawOperation {
  operationId: string;
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: { 'application/json': { schema: BodySchema; example?: object } } };
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** The example of the body as a whole, and its fields. */
  example: object | undefined;
  fields: Record<string, Described>;
}

/** Monday, on which the tests' worlds begin. */
export const documentedDay = '2026-11-23';

/** Every operation of the document of that day. */
export const documentedOperations = (): Operation[] => {
  const { paths, components } = openApiDocument(documentedDay) as unknown as {
    paths: Record<string, Record<string, RawOperation>>;
    components: { parameters: Record<string, Parameter> };
  };
  const resolved = (parameter: Parameter | { $ref: string }): Parameter =>
    '$ref' in parameter
      ? (components.parameters[parameter.$ref.split('/').at(-1) ?? ''] as Parameter)
      : parameter;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const content = operation.requestBody?.content['application/json'];
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters.map(resolved),
        example: content?.example,
        fields: content?.schema.properties ?? {},
      };
    }),
  );
};

const valuesOf = ({ examples = [], ...described }: Described): unknown[] => [
  ...examples,
  ...('default' in described ? [described.default] : []),
];

const inQuery = ({ parameters }: Operation): Parameter[] =>
  parameters.filter((parameter) => parameter.in === 'query');

/** Only the required parts, and each value of each parameter beside them. */
export const documentedQueries = (operation: Operation): string[] => {
  const required = inQuery(operation).filter((parameter) => parameter.required);
  const base = Object.fromEntries(required.map(({ name, schema }) => [name, String(valuesOf(schema)[0])]));
  const each = inQuery(operation).flatMap(({ name, schema }) =>
    valuesOf(schema).map((value) => ({ ...base, [name]: String(value) })),
  );
  return [base, ...each].map((given) => {
    const query = new URLSearchParams(given);
    return query.size === 0 ? '' : `?${query}`;
  });
};

/** The headers that the document shows, each with its last value. */
export const documentedHeaders = ({ parameters }: Operation): Record<string, string> =>
  Object.fromEntries(
    parameters
      .filter((parameter) => parameter.in === 'header')
      .map(({ name, schema }) => [name, String(valuesOf(schema).at(-1))]),
  );

/** The body as the document shows it, with every field that has an example, and with every default. */
export const documentedBodies = ({
  example,
  fields,
}: Operation): [kind: string, body: object | undefined][] => {
  if (example === undefined) return [['nothing', undefined]];
  const shown = Object.entries(fields).filter(([, { examples }]) => examples !== undefined);
  const whole = Object.fromEntries(shown.map(([name, { examples }]) => [name, examples?.[0]]));
  const defaults = Object.entries(fields).filter(([, field]) => 'default' in field);
  const untouched = Object.fromEntries(defaults.map(([name, field]) => [name, field.default]));
  const bodies: [string, object][] = [
    ['the example', example],
    ['every field', { ...example, ...whole }],
    ['the defaults', { ...example, ...untouched }],
  ];
  const texts = bodies.map(([, body]) => JSON.stringify(body));
  return bodies.filter((_, at) => texts.indexOf(texts[at] ?? '') === at);
};
