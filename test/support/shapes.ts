import type { Endpoint } from '../../src/core/endpoint/endpoint.ts';
import { type Json, type Schemas, toJsonSchema } from '../../src/interface/reference/json-schema.ts';
import { pathFor, type Scene } from './scene.ts';
import { password } from './world.ts';

export type Part = 'params' | 'query' | 'body';

export interface Field {
  name: string;
  schema: Json & {
    type?: string;
    format?: string;
    enum?: unknown[];
    pattern?: string;
    examples?: unknown[];
    items?: { enum?: unknown[]; minimum?: number; maximum?: number };
  };
  required: boolean;
}

const known = new Map<Endpoint, Partial<Record<Part, readonly Field[]>>>();

const readFields = (contract: Endpoint, part: Part): readonly Field[] => {
  const shape = contract[part];
  if (shape === undefined) return [];
  const schemas: Schemas = {};
  const { properties = {}, required = [] } = toJsonSchema(shape(), 'input', schemas) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => {
    const { anyOf, ...rest } = schema as { anyOf?: Json[] } & Json;
    return { name, schema: { ...anyOf?.[0], ...rest }, required: required.includes(name) };
  });
};

/** The fields that one part of a request to an endpoint may have, as its contract says. */
export const fieldsOf = (contract: Endpoint, part: Part): readonly Field[] => {
  const parts = known.get(contract) ?? {};
  known.set(contract, parts);
  parts[part] ??= readFields(contract, part);
  return parts[part];
};

export const isText = ({ schema }: Field): boolean => schema.type === 'string';

let samples = 0;

/** A value that the field accepts, with ids of existing records. */
const sampleOf = (scene: Scene, contract: Endpoint, { name, schema }: Field): unknown => {
  samples += 1;
  const { practice, patient } = scene.clinic;
  const isDay = contract.method === 'get' || schema.format === 'date';
  const named: Record<string, unknown> = {
    doctor_id: practice.doctorId,
    session_id: practice.sessionId,
    patient_id: patient.id,
    into: patient.id,
    user_id: patient.id,
    email: `contoh${samples}@klinik.example`,
    password,
    password_confirmation: password,
    current_password: password,
    schedule_date: '2026-11-24',
    schedule_time: '10:00:00',
    event_types: ['booking.created'],
    url: 'https://hooks.klinik.example/janji',
    version: 1,
    start_date: '2026-12-26',
    end_date: '2026-12-27',
    from: isDay ? '2026-11-24' : '2026-11-01T00:00:00.000Z',
    to: isDay ? '2026-11-25' : '2026-11-30T00:00:00.000Z',
    weekday: 7,
    // A patient may not ask for these.
    check_in: false,
    overbook: false,
    override_limits: false,
    ...(contract.path === '/v1/bookings' && { external_id: null, metadata: undefined, channel: 'app' }),
  };
  if (schema.enum !== undefined) return schema.enum[0];
  if (name in named) return named[name];
  if (schema.items?.enum !== undefined) return schema.items.enum[0];
  if (schema.type === 'boolean') return true;
  return schema.examples?.[0] ?? ('default' in schema ? schema.default : 'contoh');
};

/** A body with every field of the contract, each acceptable by itself. */
export const bodyFor = (scene: Scene, contract: Endpoint): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOf(contract, 'body').map((field) => [field.name, sampleOf(scene, contract, field)]),
  );

/** The path with the parameters that the contract requires. */
export const requestPath = (scene: Scene, contract: Endpoint, id?: string): string => {
  const required = fieldsOf(contract, 'query').filter((field) => field.required);
  const query = new URLSearchParams(
    required.map((field) => [field.name, String(sampleOf(scene, contract, field))]),
  );
  return `${pathFor(scene, contract, id)}${query.size === 0 ? '' : `?${query}`}`;
};
