import { createClient } from '../../../client/index.ts';
import { noteClock } from '../clock.ts';
import { language } from '../preferences.ts';
import { authorized } from './token.ts';

/** Parameters in one order, since it is part of a shared cache's key. */
const sorted = (input: RequestInfo | URL): RequestInfo | URL => {
  if (typeof input !== 'string' || !input.includes('?')) return input;
  const [path, query] = input.split('?');
  const params = new URLSearchParams(query);
  params.sort();
  return `${path}?${params}`;
};

const spoken = (init: RequestInit = {}): RequestInit => {
  const headers = new Headers(init.headers);
  headers.set('Accept-Language', language.peek());
  return { ...init, headers };
};

/** Sends a request, and stores the service's time from the answer. */
const ask = async (input: RequestInfo | URL, init: RequestInit): Promise<Response> => {
  const answer = await fetch(sorted(input), init);
  noteClock(answer.headers);
  return answer;
};

const base = location.origin;

/** For public data: without a token, so that shared caches answer. */
export const open = createClient(base, {
  fetch: (input: RequestInfo | URL, init?: RequestInit) => ask(input, spoken(init)),
});

/** For endpoints with a login: sends the access token, and renews it once if it has expired. */
export const api = createClient(base, {
  fetch: (input: RequestInfo | URL, init?: RequestInit) =>
    authorized((headers) => {
      const sent = spoken(init);
      for (const [name, value] of Object.entries(headers)) (sent.headers as Headers).set(name, value);
      return ask(input, sent);
    }),
});
