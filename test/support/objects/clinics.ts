import { env } from 'cloudflare:workers';
import { findClinic } from '../../../src/modules/clinics/queries.ts';
import { demoIds, demoPassword } from '../../../src/modules/demo/demo.ts';
import type { ObjectBindings } from '../../../src/runtime/worker/objects/calls.ts';
import { clinicOf } from '../../../src/runtime/worker/objects/clinic-of.ts';
import { openDirectory } from '../../../src/runtime/worker/objects/front.ts';
import worker from '../../../src/worker-objects.ts';

export const bindings = env as unknown as ObjectBindings;

let run = 0;

interface Given {
  method?: string;
  token?: string | undefined;
  body?: unknown;
  /** A body that is sent as it is. */
  raw?: BodyInit;
  headers?: Record<string, string>;
}

/** Asks the front Worker, at any host. */
export const askHost = async (
  host: string,
  path: string,
  { method, token, body, raw, headers }: Given = {},
  under: ObjectBindings = bindings,
) => {
  const answer = await worker.fetch(
    new Request(`https://${host}${path}`, {
      method: method ?? (body === undefined && raw === undefined ? 'GET' : 'POST'),
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(raw !== undefined && { body: raw }),
    }),
    under,
  );
  const text = new TextDecoder().decode(await answer.arrayBuffer());
  const isJson = /[/+]json/.test(answer.headers.get('Content-Type') ?? '') && text !== '';
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever JSON came.
  return { status: answer.status, headers: answer.headers, body: (isJson ? JSON.parse(text) : text) as any };
};

/** Asks as the operator of the deployment. */
export const askOperator = (path: string, given: Given = {}) =>
  askHost('operator.example', `/operator/api/clinics${path}`, {
    token: String(bindings.OPERATOR_SECRET),
    ...given,
  });

/** Demo clinics, each under a host of its id, which no other test has. */
export const createClinics = async (names: readonly string[]) => {
  run += 1;
  const idOf = (name: string) => `${name}-${run}`;
  const host = (name: string) => `${idOf(name)}.janji.example`;
  for (const name of names) {
    const made = await askOperator('', { body: { name, hosts: [host(name)], id: idOf(name), demo: true } });
    if (made.status !== 201) throw new Error(`No clinic was made: ${JSON.stringify(made.body)}`);
  }
  const ask = (name: string, path: string, given: Given = {}) => askHost(host(name), path, given);
  /** The first free slot of the first doctor, as a booking asks for it. */
  const firstSlot = async (name: string) => {
    const [doctor_id] = demoIds.doctors;
    const [session_id] = demoIds.sessions;
    const slots = await ask(name, `/v1/doctors/${doctor_id}/slots`);
    const [{ schedule_date, schedule_time }] = slots.body.data;
    return { doctor_id, session_id, schedule_date, schedule_time };
  };
  return {
    ask,
    idOf,
    host,
    firstSlot,
    login: async (name: string, email = 'pasien@klinik.example'): Promise<string> => {
      const { status, body } = await ask(name, '/v1/auth/login', { body: { email, password: demoPassword } });
      if (status !== 200) throw new Error(`Login failed: ${JSON.stringify(body)}`);
      return body.data.access_token;
    },
    book: async (name: string, token: string) =>
      ask(name, '/v1/bookings', { token, body: await firstSlot(name) }),
    /** The object of a clinic, and the clinic as the directory has it. */
    objectOf: async (name: string) => {
      const clinic = await findClinic(openDirectory(bindings), idOf(name));
      if (clinic === null) throw new Error(`${name} is not in the directory.`);
      return { clinic, object: clinicOf(bindings, clinic) };
    },
  };
};
