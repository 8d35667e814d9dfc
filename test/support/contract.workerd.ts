import { isDeepStrictEqual } from 'node:util';
import { contracts } from '../../src/contracts.ts';
import type { Endpoint, Returned } from '../../src/endpoint.ts';
import { catalogue, type ErrorCode } from '../../src/errors.ts';
import { documentedFailures } from '../../src/reference/operations.ts';
import type { Seen } from './contract-seen.ts';

const formOf = ({ path }: Endpoint) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
const endpoints = Object.values(contracts).sort(
  (a, b) => a.path.split('{').length - b.path.split('{').length,
);

// Parsing drops what a shape does not know, so that whatever was not documented shows as a difference.
const isPrecisely = (shape: Returned['data'], value: unknown): boolean => {
  const parsed = shape?.safeParse(value);
  return isDeepStrictEqual(parsed?.data, value);
};

const problemOf = ({ method, path, status, body }: Seen): string | null => {
  const verb = method === 'HEAD' ? 'get' : method.toLowerCase();
  const contract = endpoints.find((one) => one.method === verb && formOf(one).test(path));
  if (contract === undefined || method === 'HEAD' || status === 304) return null;
  const returned = (contract.returns as Record<number, Returned>)[status];
  if (returned === undefined) {
    const code = body?.code as ErrorCode;
    return documentedFailures(contract).includes(code) && catalogue[code].status === status
      ? null
      : `${status} ${code}`;
  }
  if (returned.contentType !== undefined) return null;
  if (!isPrecisely(returned.data, body.data)) return 'data differs from its shape';
  if (!isPrecisely(returned.meta, body.meta)) return 'meta differs from its shape';
  return (returned.message === undefined) === (body.message === undefined) ? null : 'message';
};

/** Holds an answer against its contract's shapes; the OpenAPI document itself is held on Node. */
export const holdToContract = (seen: Seen): void => {
  const problem = problemOf(seen);
  if (problem !== null) throw new Error(`${seen.method} ${seen.path} breaks its contract: ${problem}.`);
};
