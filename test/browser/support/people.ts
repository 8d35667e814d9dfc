import { demoPassword } from '../../../src/modules/demo/demo.ts';

/** Accounts of the demo clinic. */
export const demo = {
  password: demoPassword,
  patient: 'pasien@klinik.example',
  doctor: 'dokter@klinik.example',
  staff: 'staff@klinik.example',
  admin: 'admin@klinik.example',
} as const;

export interface Called {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came.
  body: any;
}

/** Calls the service as another program would: to bring about what a page then has to show. */
export const call = async (
  url: string,
  method: string,
  path: string,
  { token, body }: { token?: string; body?: unknown } = {},
): Promise<Called> => {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
};

/** An access token of an account of the demo clinic. */
export const tokenOf = async (url: string, email: string): Promise<string> => {
  const { body } = await call(url, 'POST', '/v1/auth/login', { body: { email, password: demo.password } });
  return body.data.access_token as string;
};

let nth = 0;

/** Somebody who has just registered: e-mail, password and token. */
export const newPatient = async (url: string) => {
  nth += 1;
  const email = `pasien-${process.pid}-${Date.now().toString(36)}-${nth}@klinik.example`;
  const password = 'kopi-susu-pagi-7';
  const person = { name: 'Siti Rahayu', phone_number: '81234567890', phone_country_code: '62' };
  const { body } = await call(url, 'POST', '/v1/auth/register', {
    body: { ...person, email, password, password_confirmation: password },
  });
  return {
    ...person,
    email,
    password,
    id: body.data.user.id as string,
    token: body.data.access_token as string,
  };
};
