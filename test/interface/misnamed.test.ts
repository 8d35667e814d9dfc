import { beforeAll, describe, expect, it } from 'vitest';
import { createScene, type Scene } from '../support/scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await createScene();
});

describe('a program that is not yet right', () => {
  it('gets the names that it spelled differently', async () => {
    const { token } = scene.people.patient;
    const body = { doctorId: 'x', sessionId: 'x', 'schedule-date': '2026-12-01', ScheduleTime: '09:00:00' };
    const answer = await scene.world.request('/v1/bookings', { token, body });
    expect([answer.status, answer.body.errors]).toMatchObject([
      422,
      {
        doctor_id: ['Wajib diisi.'],
        doctorId: ['Nama ini tidak dikenal; mungkin yang dimaksud doctor_id.'],
        sessionId: ['Nama ini tidak dikenal; mungkin yang dimaksud session_id.'],
        'schedule-date': ['Nama ini tidak dikenal; mungkin yang dimaksud schedule_date.'],
        ScheduleTime: ['Nama ini tidak dikenal; mungkin yang dimaksud schedule_time.'],
      },
    ]);
  });

  it.each([
    ['X-API-Key', { 'X-API-Key': 'janji_x' }],
    ['Authorization without a scheme', { Authorization: 'janji_x' }],
    ['another scheme', { Authorization: 'Basic YTpi' }],
  ])('is told where its key belongs: %s', async (_name, headers) => {
    const answer = await scene.world.request('/v1/auth/profile', { headers });
    expect([answer.status, answer.body.code, answer.body.message]).toEqual([
      401,
      'unauthenticated',
      'Kirim token atau kunci API di header Authorization: Bearer.',
    ]);
  });

  it('may go on after the last number that JSON holds exactly, as the document says', async () => {
    const { token } = scene.people.admin;
    const ask = async (after: string) =>
      (await scene.world.request(`/v1/bookings/changes?after=${after}`, { token })).status;
    expect(await ask('9007199254740991')).not.toBe(400);
    for (const after of ['9007199254740992', '9007199254740993', '99999999999999999', '-1', '1.5'])
      expect(await ask(after), after).toBe(400);
  });
});
