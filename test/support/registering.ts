import { password, type World } from './world.ts';

export const registration = (email: string, more: Record<string, unknown> = {}) => ({
  name: 'Pasien Uji',
  phone_number: '81234567890',
  phone_country_code: '62',
  email,
  password,
  password_confirmation: password,
  device_id: '',
  ...more,
});

export const register = (world: World, email: string, more: Record<string, unknown> = {}) =>
  world.request('/v1/auth/register', { body: registration(email, more) });

export const logIn = (world: World, email: string, typed: string, address = '198.51.100.1') =>
  world.request('/v1/auth/login', {
    body: { email, password: typed },
    headers: { 'X-Test-Address': address },
  });
