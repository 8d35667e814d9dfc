import * as z from 'zod/mini';
import type { Endpoint } from '../core/endpoint/endpoint.ts';

/** The query as it is accepted: an unknown name is refused, unless the endpoint ignores unknown names. */
export const buildQueryShape = (endpoint: Endpoint): z.ZodMiniType => {
  const shape = endpoint.query?.() ?? z.object({});
  return endpoint.ignoresUnknownQuery ? shape : z.catchall(shape, z.never());
};

const namesField = (body: object): boolean => Object.keys(body).length > 0;

/** The body as it is accepted: a PATCH has to name a field that is known. */
export const buildBodyShape = ({ method, body }: Endpoint): z.ZodMiniType => {
  if (body === undefined) return z.unknown();
  if (method !== 'patch') return body();
  return body().check(z.refine(namesField, { params: { rule: 'no_change' } }));
};
