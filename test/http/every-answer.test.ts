import { describe, expect, it } from 'vitest';
import { createPractice } from '../support/clinic.ts';
import { createPerson } from '../support/people.ts';
import { createWorld } from '../support/world.ts';

describe('every answer', () => {
  it('carries security headers, no-store where it is personal, and the request id it was sent', async () => {
    const world = await createWorld();
    const { token } = await createPerson(world);
    const { headers } = await world.request('/v1/auth/profile', {
      token,
      headers: { 'X-Request-Id': 'abc-12345' },
    });
    expect(headers.get('X-Request-Id')).toBe('abc-12345');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Content-Security-Policy')).toBe("frame-ancestors 'none'");
  });

  it('replaces a request id that is not well-formed, and repeats the one it answers with in errors', async () => {
    const world = await createWorld();
    const { headers, body } = await world.request('/v1/nothing', { headers: { 'X-Request-Id': 'a b' } });
    expect(headers.get('X-Request-Id')).toMatch(/^[\da-f-]{36}$/);
    expect(body.request_id).toBe(headers.get('X-Request-Id'));
  });

  it('shows nothing of an internal failure but its request id', async () => {
    const world = await createWorld({ LOG_LEVEL: 'silent' });
    await world.db.delete((await import('../../src/core/tables/catalog.ts')).clinic);
    const broken = {
      ...world.deps,
      clinicTime: {
        ...world.deps.clinicTime,
        dateOf: () => {
          throw new Error('secret inside');
        },
      },
    };
    const { createApp } = await import('../../src/app.ts');
    const doctor = await createPractice(world);
    const answer = await createApp(broken).request(`/v1/doctors/${doctor.doctorId}/slots`);
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).not.toContain('secret');
    expect(JSON.parse(text)).toMatchObject({
      status: 'error',
      code: 'internal',
      message: 'Terjadi kesalahan pada sistem kami. Silakan coba beberapa saat lagi.',
    });
  });
});
