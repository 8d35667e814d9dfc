import { demoPassword } from '../../src/modules/demo/demo.ts';

export interface Got {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came.
  body: any;
}

/** Sends a request over the network and reads the answer. */
export const send = async (
  url: string,
  path: string,
  token?: string,
  body?: unknown,
  method?: string,
): Promise<Got> => {
  const response = await fetch(`${url}${path}`, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
};

export const registerOver = async (url: string, name: string): Promise<string> => {
  const email = `${name}@klinik.example`;
  const secret = { password: demoPassword, password_confirmation: demoPassword };
  const body = {
    name,
    phone_number: '81234567890',
    phone_country_code: '62',
    email,
    device_id: '',
    ...secret,
  };
  const { status, body: answer } = await send(url, '/v1/auth/register', undefined, body);
  if (status !== 201) throw new Error(`Registration failed: ${status} ${JSON.stringify(answer)}`);
  return answer.data.access_token;
};
