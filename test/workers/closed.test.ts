import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';

it('answers like any other failure while its settings keep it from serving', async () => {
  // A Worker that another test has started serves on, whatever its settings become.
  vi.resetModules();
  const { default: worker } = await import('../../src/worker.ts');
  const headers = { 'Accept-Language': 'en', 'X-Request-Id': 'asked-before' };
  const request = new Request('http://localhost/v1/auth/profile', { headers });
  const answer = await worker.fetch(request, { DB: env.DB, JWT_SECRET: 'too-short', LOG_LEVEL: 'silent' });
  expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '5']);
  expect(answer.headers.get('Content-Type')).toBe('application/json; charset=UTF-8');
  expect(answer.headers.get('Cache-Control')).toBe('no-store');
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff');
  expect(answer.headers.get('X-Request-Id')).toBe('asked-before');
  expect(await answer.json()).toEqual({
    status: 'error',
    code: 'unavailable',
    message: 'The service is busy. Please try again in a moment.',
    request_id: 'asked-before',
  });
});
