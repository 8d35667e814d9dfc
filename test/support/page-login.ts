import { password, registerPatient, type World } from './world.ts';

export const own = { 'Sec-Fetch-Site': 'same-origin' };
export const path = '/v1/auth/session';

export const cookiesOf = ({ headers }: { headers: Headers }): string[] => headers.getSetCookie();
/** The cookies that a browser sends with the next request: names and values. */
export const jar = (...cookies: string[]): string => cookies.map((cookie) => cookie.split(';')[0]).join('; ');
export const loginCookie = (got: { headers: Headers }): string => cookiesOf(got)[0] ?? '';

export const open = async (
  world: World,
  more: Record<string, unknown> = {},
  headers: Record<string, string> = own,
) => {
  const person = await registerPatient(world);
  const body = { email: person.email, password, app: 'pasien', ...more };
  return { person, body, opened: await world.request(path, { body, headers }) };
};

export const refresh = (world: World, cookie: string, app = 'pasien') =>
  world.request(`${path}/refresh`, { body: { app }, headers: { ...own, Cookie: cookie } });
