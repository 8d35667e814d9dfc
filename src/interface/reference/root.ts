import { accepts } from 'hono/accepts';
import type { Serve } from '../../core/http/observed.ts';
import { jsonContent, respond } from '../../core/http/respond.ts';
import { name, version } from './package.ts';

const service = { name, version, docs: '/docs', openapi: '/openapi.json', health: '/health' };

/** Serves `/`: redirects a browser to the patients' page, and answers a program with a list of addresses. */
export const mountRoot = (serve: Serve): void =>
  serve('GET', '/', (c) => {
    const supports = ['application/json', 'text/html'];
    const wanted = accepts(c, { header: 'Accept', supports, default: 'application/json' });
    const headers = { Vary: 'Accept' };
    return wanted === 'text/html'
      ? respond(c, { status: 302, raw: '', headers: { ...headers, Location: '/pasien/' } })
      : respond(c, { status: 200, raw: JSON.stringify(service), headers: { ...headers, ...jsonContent } });
  });
