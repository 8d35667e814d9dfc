import { expect, it } from 'vitest';
import { createWorld, password, registerPatient, type Sent, type World } from '../support/world.ts';

const both = async (world: World, path: string, sent: Sent) => {
  const sentences: string[] = [];
  for (const language of ['id', 'en']) {
    const { body } = await world.request(path, {
      ...sent,
      headers: { ...sent.headers, 'Accept-Language': language },
    });
    sentences.push(body.message);
  }
  return sentences;
};

const ended = [
  'Sesi Anda telah berakhir. Silakan masuk kembali.',
  'Your session has ended. Please log in again.',
];

it('asks a caller without a token to log in, and says to one with an ended login that it ended', async () => {
  const world = await createWorld();
  const { token, refreshToken } = await registerPatient(world);
  expect(await both(world, '/v1/auth/profile', {})).toEqual([
    'Silakan masuk terlebih dahulu.',
    'Please log in first.',
  ]);
  world.clock.now += 3_601_000;
  expect(await both(world, '/v1/auth/profile', { token })).toEqual(ended);
  world.clock.now -= 3_601_000;
  await world.request('/v1/auth/logout', { method: 'POST', token });
  expect(await both(world, '/v1/auth/profile', { token })).toEqual(ended);
  expect(await both(world, '/v1/bookings/history', { token })).toEqual(ended);
  expect(await both(world, '/v1/auth/refresh', { body: { refresh_token: refreshToken } })).toEqual(ended);
});

it('says after how many seconds or minutes to try again, the same as Retry-After', async () => {
  const world = await createWorld({ RATE_LIMIT: 'on' });
  const body = { email: 'seseorang@klinik.example', password: 'salah-sekali' };
  for (let nth = 0; nth < 5; nth++) await world.request('/v1/auth/login', { body });
  const answer = await world.request('/v1/auth/login', { body });
  expect(answer.headers.get('Retry-After')).toBe('30');
  expect(answer.body.message).toBe('Terlalu banyak percobaan. Silakan coba lagi dalam 30 detik.');
  world.clock.now += 29_000;
  const { body: late } = await world.request('/v1/auth/login', {
    body,
    headers: { 'Accept-Language': 'en' },
  });
  expect(late.message).toBe('Too many attempts. Please try again in 1 second.');
});

it('says how long a way to a new password holds, when it is sent and when it is refused', async () => {
  const world = await createWorld();
  expect(await both(world, '/v1/auth/password/forgot', { body: { email: 'a@klinik.example' } })).toEqual([
    'Jika email ini terdaftar, petunjuk untuk mengatur ulang kata sandi telah kami kirim dan berlaku 30 menit. Periksa juga folder spam.',
    'If this e-mail is registered, we have sent instructions to reset the password, which hold for 30 minutes. Please look into the spam folder, too.',
  ]);
  const body = { token: 'tidak-ada', password, password_confirmation: password };
  expect(await both(world, '/v1/auth/password/reset', { body })).toEqual([
    'Tautan atau kode ini tidak berlaku lagi (berlaku 30 menit dan hanya untuk satu kali pakai). Silakan minta yang baru.',
    'This link or code is not valid any more (it holds for 30 minutes and can be used once). Please ask for a new one.',
  ]);
});

it('says where a logout left its owner', async () => {
  const world = await createWorld();
  const { token } = await registerPatient(world);
  const devices = { method: 'DELETE', token };
  expect(await both(world, '/v1/auth/devices', devices)).toEqual([
    'Anda telah keluar dari semua perangkat lain.',
    'You were logged out of all other devices.',
  ]);
  const { body } = await world.request('/v1/auth/logout', { method: 'POST', token });
  expect(body.message).toBe('Anda telah keluar.');
});

it('refers a person who registers twice to the login', async () => {
  const world = await createWorld();
  const { email } = await registerPatient(world);
  await expect(registerPatient(world, { email })).rejects.toThrow(
    'Email ini sudah terdaftar. Silakan masuk, atau atur ulang kata sandi Anda.',
  );
});

it('names the limit of a body that is too large, and of a password that is too short', async () => {
  const world = await createWorld({ PASSWORD_MIN_LENGTH: '12' });
  expect(await both(world, '/v1/auth/login', { raw: ' '.repeat(65_537) })).toEqual([
    'Isi permintaan terlalu besar (maksimal 64 KB).',
    'The request body is too large (at most 64 KB).',
  ]);
  await expect(
    registerPatient(world, { password: 'pendek-9x', password_confirmation: 'pendek-9x' }),
  ).rejects.toThrow('Minimal 12 karakter.');
});
