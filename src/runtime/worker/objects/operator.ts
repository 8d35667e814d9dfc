import type { Context } from 'hono';
import * as z from 'zod/mini';
import type { Db } from '../../../core/db/db.ts';
import { newId } from '../../../core/db/ids.ts';
import { toIso } from '../../../core/endpoint/instants.ts';
import type { AppEnv } from '../../../core/http/context.ts';
import type { Serve } from '../../../core/http/observed.ts';
import { jsonContent, respond } from '../../../core/http/respond.ts';
import type { Config } from '../../../core/settings/config.ts';
import { checkDescribed } from '../../../modules/clinics/described.ts';
import {
  type ClinicEntry,
  changeClinic,
  deleteClinic,
  findClinic,
  insertClinic,
  listClinics,
  replaceHosts,
  setState,
} from '../../../modules/clinics/queries.ts';
import { normalizeHost } from '../../../modules/clinics/rules.ts';
import {
  assertClinicSettings,
  createSettingsBox,
  openSettings,
  sealedSettings,
  sealSettings,
} from '../../../modules/clinics/settings.ts';
import { parseBindings } from '../settings.ts';
import type { ObjectBindings } from './calls.ts';
import { clinicOf } from './clinic-of.ts';
import { FrontHasher } from './front-hasher.ts';

/** A refusal in words for the operator. */
export class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const leastSecretBytes = 32;
const longestBodyBytes = 65_536;
/** How long a front may go on with a clinic after it was closed: it knows the directory for a minute. */
const lettingGoMs = 120_000;

const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));

/** Whether a request is the operator's; compared by digests, so that no time tells how much was right. */
const isOperator = async (given: string | undefined, secret: unknown): Promise<boolean> => {
  if (typeof secret !== 'string' || new TextEncoder().encode(secret).length < leastSecretBytes) return false;
  const [one, other] = await Promise.all([digest(given ?? ''), digest(`Bearer ${secret}`)]);
  return one.reduce((differs, byte, at) => differs | (byte ^ (other[at] ?? 0)), 0) === 0;
};

const newClinic = () =>
  z.strictObject({
    name: z.string(),
    hosts: z.array(z.string()).check(z.minLength(1)),
    time_zone: z.optional(z.string()),
    admin: z.optional(z.string()),
    demo: z.optional(z.boolean()),
    id: z.optional(z.string()),
  });

const clinicChange = () =>
  z.strictObject({
    name: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
    hosts: z.optional(z.array(z.string()).check(z.minLength(1))),
    settings: z.optional(z.record(z.string(), z.nullable(z.string()))),
  });

const readBody = async <T>(c: Context<AppEnv>, shape: z.ZodMiniType<T>): Promise<T> => {
  const text = await c.req.text();
  if (text.length > longestBodyBytes) throw new Refusal(413, 'The body is too large.');
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new Refusal(400, 'The body is no JSON.');
  }
  const parsed = shape.safeParse(given);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path: [field] }) => String(field ?? 'the body'));
  throw new Refusal(422, `Cannot be accepted: ${[...new Set(fields)].join(', ')}.`);
};

/** A clinic for a script; the values of secret settings are left out. */
const shown = ({ id, name, hosts, timeZone, state, settings, createdAt }: ClinicEntry) => ({
  id,
  name,
  hosts,
  time_zone: timeZone,
  state,
  settings: Object.fromEntries(
    Object.entries(settings).map(([setting, value]) => [
      setting,
      sealedSettings.includes(setting) ? '(sealed)' : value,
    ]),
  ),
  created_at: toIso(createdAt),
});

interface Needs {
  bindings: ObjectBindings;
  config: Config;
  directory: Db;
}

/** Mounts what an operator does with the clinics, with the secret OPERATOR_SECRET; without it nothing of it is there. */
export const mountOperator = (serve: Serve, { bindings, config, directory }: Needs): void => {
  const answer = (c: Context<AppEnv>, status: number, value: object) =>
    respond(c, { status, raw: JSON.stringify(value), headers: jsonContent });
  const refuse = (c: Context<AppEnv>, status: number, message: string) =>
    answer(c, status, { status: 'error', code: 'refused', message });
  const mount = (
    method: string,
    path: string,
    act: (c: Context<AppEnv>) => Promise<Response | [status: number, value: object]>,
  ): void =>
    serve(method, `/operator/clinics${path}`, async (c) => {
      if (!(await isOperator(c.req.header('Authorization'), bindings.OPERATOR_SECRET)))
        return refuse(c, 401, 'This takes the secret of the operator.');
      try {
        const given = await act(c);
        return given instanceof Response ? given : answer(c, ...given);
      } catch (error) {
        if (error instanceof Refusal) return refuse(c, error.status, error.message);
        throw error;
      }
    });
  const named = async (c: Context<AppEnv>): Promise<ClinicEntry> => {
    const given = c.req.param('named') ?? '';
    const found = await findClinic(directory, given);
    if (found === null) throw new Refusal(404, `No clinic has the host or the id ${given}.`);
    return found;
  };
  /** Tells the object what the directory says now: it works by that while nobody asks. */
  const noted = async (id: string): Promise<ClinicEntry> => {
    const clinic = await findClinic(directory, id);
    if (clinic === null) throw new Refusal(404, `No clinic has the id ${id}.`);
    await clinicOf(bindings, clinic).note(clinic);
    return clinic;
  };
  const refusing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw error instanceof Refusal ? error : new Refusal(422, error instanceof Error ? error.message : '');
    }
  };

  mount('GET', '', async () => [200, { clinics: (await listClinics(directory)).map(shown) }]);

  mount('POST', '', async (c) => {
    const given = await readBody(c, newClinic());
    const { name, time_zone: timeZone = config.CLINIC_TIME_ZONE, admin = null, demo = false } = given;
    if (demo && bindings.DEMO !== 'on')
      throw new Refusal(422, 'A demo clinic has public passwords: only DEMO=on takes one.');
    const { names, host } = await refusing(() =>
      checkDescribed(directory, { ...given, timeZone: given.time_zone }),
    );
    const id = given.id ?? newId();
    await insertClinic(directory, { id, name, timeZone, hosts: names }, Date.now());
    const { protocol, port } = new URL(c.req.url);
    const origin = `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
    try {
      const clinic = await findClinic(directory, id);
      if (clinic === null) throw new Error('The clinic is gone from the directory.');
      const object = clinicOf(bindings, clinic);
      const link = await object.create(clinic, { demo, origin }, new FrontHasher());
      await object.note(clinic);
      return [201, { id, name, host, admin, link }];
    } catch (error) {
      await deleteClinic(directory, id);
      throw error;
    }
  });

  mount('GET', '/:named', async (c) => {
    const clinic = await named(c);
    const { bytes, schema, isCurrent, wakesAt, problem } = await clinicOf(bindings, clinic).describe();
    const state = problem !== null && clinic.state === 'open' ? 'broken' : clinic.state;
    const wakes = wakesAt === null ? null : toIso(wakesAt);
    return [200, { ...shown(clinic), state, problem, bytes, schema, is_current: isCurrent, wakes_at: wakes }];
  });

  for (const [verb, state] of [
    ['open', 'open'],
    ['close', 'closed'],
  ] as const)
    mount('POST', `/:named/${verb}`, async (c) => {
      const clinic = await named(c);
      if (clinic.state !== state || verb === 'open') await setState(directory, clinic.id, state, Date.now());
      return [200, shown(await noted(clinic.id))];
    });

  mount('PATCH', '/:named', async (c) => {
    const clinic = await named(c);
    const { name, hosts, settings: changed } = await readBody(c, clinicChange());
    const names = hosts?.map((host) => normalizeHost(host) ?? '');
    if (names?.includes('')) throw new Refusal(422, 'A host is a name such as melati.janji.example.');
    for (const host of names ?? []) {
      const owner = await findClinic(directory, host);
      if (owner !== null && owner.id !== clinic.id)
        throw new Refusal(409, `${host} is ${owner.name}'s already.`);
    }
    let sealed: Record<string, string> | undefined;
    if (changed !== undefined) {
      const { secret, dataKey } = parseBindings(bindings);
      const box = await createSettingsBox(clinic.id, config, { secret, dataKey });
      const settings = { ...(await openSettings(clinic.settings, async () => box)) };
      for (const [setting, value] of Object.entries(changed))
        if (value === null || value === '') delete settings[setting];
        else settings[setting] = value;
      await refusing(async () => assertClinicSettings(config, { ...clinic, settings }));
      sealed = await sealSettings(settings, box);
    }
    if (name !== undefined || sealed !== undefined)
      await changeClinic(directory, clinic.id, {
        ...(name !== undefined && { name }),
        ...(sealed !== undefined && { settings: sealed }),
      });
    if (names !== undefined) await replaceHosts(directory, clinic.id, names);
    return [200, shown(await noted(clinic.id))];
  });

  mount('DELETE', '/:named', async (c) => {
    const clinic = await named(c);
    if (clinic.state !== 'closed') throw new Refusal(409, `${clinic.name} is open: close it first.`);
    const leftMs = clinic.stateSince + lettingGoMs - Date.now();
    if (leftMs > 0)
      throw new Refusal(
        409,
        `${clinic.name} was closed a moment ago: try again in ${Math.ceil(leftMs / 1000)} seconds.`,
      );
    await deleteClinic(directory, clinic.id);
    await clinicOf(bindings, clinic).erase();
    return [200, { id: clinic.id, left: (await listClinics(directory)).length }];
  });
};
