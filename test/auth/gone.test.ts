import { expect, it } from 'vitest';
import { createWorld, password, registerPatient, toInit } from '../support/world.ts';

it('no password is hashed for a client that has gone by its turn', async () => {
  const world = await createWorld();
  const { token, email } = await registerPatient(world);
  const asked = {
    login: { email, password },
    'login of nobody': { email: 'nobody@klinik.example', password },
    password: {
      current_password: password,
      password: 'jembatan-merah-9x',
      password_confirmation: 'jembatan-merah-9x',
    },
    reauthenticate: { password },
    register: {
      ...{ name: 'Pasien', email: 'baru@klinik.example', device_id: '' },
      ...{ phone_number: '81234567890', phone_country_code: '62' },
      ...{ password, password_confirmation: password },
    },
  };
  for (const [path, body] of Object.entries(asked)) {
    const init = toInit({ token, body });
    const url = `http://localhost/v1/auth/${path.split(' ')[0]}`;
    const { status } = await world.app.request(url, { ...init, signal: AbortSignal.abort() });
    expect([path, status]).toEqual([path, 503]);
  }
  expect((await world.request('/v1/auth/login', { body: asked.login })).status).toBe(200);
});
