import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { AppEnv } from '../../../core/http/context.ts';
import { introduce } from '../../../core/http/observed.ts';
import { cameByProxy } from './proxy-headers.ts';
import { asResponse, refuse } from './refusals.ts';
import type { Fetch } from './tracked.ts';

const refusing = new Hono<AppEnv>().notFound((c) => {
  const { language, requestId } = introduce(c);
  return asResponse(
    refuse('demo_not_public', { path: c.req.path, method: c.req.method, language, requestId }),
  );
});

/** Serves the demo clinic, whose passwords are public, only to this machine, and never through a proxy. */
export const onlyForThisMachine =
  (fetch: Fetch): Fetch =>
  (request, bindings) =>
    cameByProxy((bindings as HttpBindings).incoming.headers)
      ? refusing.fetch(request)
      : fetch(request, bindings);
