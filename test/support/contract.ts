import { appendFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { runtime } from '#test-database';
import { securityHeaders } from '../../src/core/http/headers.ts';
import { openApiDocument } from '../../src/interface/reference/document.ts';
import { pascalCase } from '../../src/interface/reference/failures.ts';
import { closed } from './closed-document.ts';

/** An answer of the service as a client sees it. */
export interface Seen {
  method: string;
  path: string;
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: whatever JSON came.
  body: any;
}

interface Response {
  headers?: Record<string, { $ref: string }>;
  content?: Record<string, { schema: { oneOf?: { $ref: string }[]; $ref?: string } }>;
}
interface Operation {
  responses: Record<string, Response & { $ref?: string }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { responses: Record<string, Response> };
}

// The document leaves its objects open, since fields will be added; here each field has to be documented.
const document = closed(openApiDocument()) as unknown as Document;
const ajv = new Ajv2020({ strict: false, formats: { password: true } });
addFormats.default(ajv);
ajv.addSchema({ $id: 'https://janji.example/openapi.json', ...document });

const paths = Object.keys(document.paths)
  .map((path) => ({ path, form: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  .sort((a, b) => a.path.split('{').length - b.path.split('{').length);

const everywhere = new Set(
  ['Content-Type', 'Content-Length', 'Vary', 'Age', 'X-Test-Address', ...Object.keys(securityHeaders)].map(
    (name) => name.toLowerCase(),
  ),
);
const sometimes = new Set([
  'link',
  'idempotency-replayed',
  'ratelimit',
  'ratelimit-policy',
  'x-device-token',
  'set-cookie',
]);
// A stored answer is its status and its body.
const headersNotReplayed = new Set(['content-language', 'location']);
const isUniversal = (name: string) => everywhere.has(name) || name.startsWith('access-control-');

const validators = new Map<string, ValidateFunction>();
const conforms = (pointer: string, body: unknown): string | null => {
  const validate =
    validators.get(pointer) ?? ajv.compile({ $ref: `https://janji.example/openapi.json#${pointer}` });
  validators.set(pointer, validate);
  return validate(body) ? null : ajv.errorsText(validate.errors);
};

const escaped = (key: string) => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'));

const headerProblems = (response: Response, status: number, headers: Headers): string[] => {
  const documented = Object.keys(response.headers ?? {}).map((name) => name.toLowerCase());
  const extra = [...headers.keys()].filter((name) => !isUniversal(name) && !documented.includes(name));
  const isReplay = headers.has('Idempotency-Replayed');
  // One 403 is for keys, whose scope it names, and for people alike.
  const isOptional = (name: string) =>
    sometimes.has(name) ||
    (isReplay && headersNotReplayed.has(name)) ||
    (status === 403 && name === 'www-authenticate');
  const missing = documented.filter((name) => !isOptional(name) && !headers.has(name));
  return [
    ...extra.map((name) => `undocumented header ${name}`),
    ...missing.map((name) => `promised header ${name} is missing`),
  ];
};

const met = new Set<string>();
const record = (line: string): void => {
  if (met.has(line)) return;
  met.add(line);
  const file = process.env.CONTRACT_COVERAGE;
  // workerd's own headers for files.
  if (file !== undefined && runtime === 'node') appendFileSync(file, `${line}\n`);
};

const unknownRoute = (method: string, status: number, body: { code?: string }): string[] => {
  const code = ({ 404: 'not_found', 405: 'method_not_allowed' } as Record<number, string>)[status];
  // The answer to HEAD has no body to be judged.
  if (status === 204 || (method === 'HEAD' && code !== undefined)) return [];
  if (code === undefined || body.code !== code) return ['an answer from a route without a contract'];
  return [conforms(`/components/schemas/${pascalCase(code)}Error`, body)].filter((text) => text !== null);
};

const problemsOf = ({ method, path, status, headers, body }: Seen): string[] => {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  // A word such as `claim` is where another path has an id: the path with the method is meant.
  const fitting = paths.filter(({ form, path: template }) => form.test(path) && document.paths[template]);
  const known = fitting.find(({ path: template }) => document.paths[template]?.[verb]) ?? fitting[0];
  const operation = known && document.paths[known.path]?.[verb];
  if (known === undefined || operation === undefined) {
    // Their failures are no envelopes: tests of their own look at them.
    if (/^\/(fhir|bpjs|docs|openapi\.json|metrics|assets|pasien|konsol|layar|$)/.test(path)) return [];
    record(`code ${body?.code}`);
    const verbs = Object.keys(document.paths[known?.path ?? ''] ?? {});
    for (const other of verbs) record(`${other.toUpperCase()} ${known?.path} ${status} ${body?.code}`);
    return unknownRoute(method, status, body ?? {});
  }
  const name = `${verb.toUpperCase()} ${known.path}`;
  const found = operation.responses[String(status)];
  if (found === undefined) return [`undocumented status ${status} (${body?.code ?? 'success'})`];
  const shared = found.$ref?.split('/').at(-1);
  const response = shared === undefined ? found : document.components.responses[shared];
  if (response === undefined) return [`no response ${shared}`];
  const problems = headerProblems(response, status, headers);
  record(`${name} ${status}${shared === undefined ? '' : ` ${body?.code}`}`);
  if (shared !== undefined) record(`code ${body?.code}`);
  if (method === 'HEAD' || status === 304) return problems;
  if (shared !== undefined) {
    if (!shared.split('.').includes(body.code)) return [...problems, `undocumented code ${body.code}`];
    const wrong = conforms(`/components/schemas/${pascalCase(body.code)}Error`, body);
    return wrong === null ? problems : [...problems, wrong];
  }
  const sent = headers.get('Content-Type')?.toLowerCase() ?? '';
  const types = Object.keys(response.content ?? {});
  const type = types.find((one) => sent.startsWith(one.split(';')[0] as string));
  if (type === undefined) return [...problems, `undocumented content type ${headers.get('Content-Type')}`];
  const at = `/paths/${escaped(known.path)}/${verb}/responses/${status}/content/${escaped(type)}/schema`;
  const wrong = conforms(at, body);
  return wrong === null ? problems : [...problems, wrong];
};

/** The sentences for people in an answer that miss a value. */
const holes = ({ body }: Seen): string[] =>
  [body?.message, ...Object.values(body?.errors ?? {}).flat()]
    .filter((text) => typeof text === 'string' && /[{}]|undefined|NaN/.test(text))
    .map((text) => `a sentence misses its value: ${text}`);

/** Holds an answer against the OpenAPI document: status, code, every field, every header and every sentence. */
export const holdToContract = (seen: Seen): void => {
  const problems = [...problemsOf(seen), ...holes(seen)];
  if (problems.length === 0) return;
  throw new Error(`${seen.method} ${seen.path} breaks its contract: ${problems.join('; ')}.`);
};
