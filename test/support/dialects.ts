import { holdToFhir } from '#test-fhir-validators';

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

const isBelow = (path: string, base: string): boolean => path === base || path.startsWith(`${base}/`);

/** A failure below `/fhir/r4` is an OperationOutcome and nothing else; every answer with a body is FHIR. */
const holdFhir = async ({ status, headers, body }: Answer, at: string): Promise<void> => {
  // The answer to HEAD, and `Prefer: return=minimal`.
  if (body === '') return;
  const type = headers.get('Content-Type');
  if (type !== 'application/fhir+json; charset=utf-8') throw new Error(`${at}: ${type} is not FHIR.`);
  const { resourceType } = body as { resourceType?: string };
  if (status >= 400 !== (resourceType === 'OperationOutcome'))
    throw new Error(`${at}: ${status} with ${resourceType}.`);
  await holdToFhir(body);
};

/** Everything below `/bpjs` is HTTP 200 with the envelope, in Indonesian. */
const holdBpjs = ({ status, headers, body }: Answer, at: string, method: string): void => {
  if (status !== 200) throw new Error(`${at}: HTTP ${status}.`);
  if (method === 'HEAD' && body === '') return;
  const { metadata } = body as { metadata?: { code?: unknown; message?: unknown } };
  if (![200, 201, 202].includes(metadata?.code as number) || typeof metadata?.message !== 'string')
    throw new Error(`${at} is no envelope of BPJS: ${JSON.stringify(body)}`);
  if (headers.get('Content-Type') !== 'application/json; charset=UTF-8')
    throw new Error(`${at}: ${headers.get('Content-Type')}`);
  const others = Object.keys(body as object).filter((name) => name !== 'metadata' && name !== 'response');
  if (others.length > 0) throw new Error(`${at} has ${others.join()} beside the envelope.`);
};

/** Throws where an answer does not speak as the dialect of its path does, where that dialect is on. */
export const holdToDialect = async (
  { method, path, ...answer }: Answer & { method: string; path: string },
  config: { FHIR: string; BPJS?: string | undefined },
): Promise<void> => {
  const at = `${method} ${path}`;
  // A browser's question before its request has an answer without a body.
  if (method === 'OPTIONS' && answer.status === 204) return;
  if (config.FHIR === 'on' && isBelow(path, '/fhir/r4')) await holdFhir(answer, at);
  if (config.BPJS !== undefined && isBelow(path, '/bpjs')) holdBpjs(answer, at, method);
};
