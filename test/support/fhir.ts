import type { Scope } from '../../src/core/endpoint/endpoint.ts';
import { createClinic } from './clinic-people.ts';
import { addKey } from './keys.ts';
import { createWorld, type Sent } from './world.ts';

export const publicUrl = 'https://janji.klinik.example';
export const base = `${publicUrl}/fhir/r4`;

/** A clinic that speaks FHIR: its people, a key with both scopes, and how it is asked. */
export const createFhirClinic = async (
  schedule: Parameters<typeof createClinic>[1] = {},
  settings: Record<string, string> = {},
) => {
  const world = await createWorld({ FHIR: 'on', PUBLIC_URL: publicUrl, ...settings });
  const clinic = await createClinic(world, schedule);
  const { token: key } = await addKey(world, ['fhir:read', 'fhir:write'] satisfies Scope[]);
  const ask = (path: string, { headers, ...sent }: Sent = {}) =>
    world.request(`/fhir/r4/${path}`, {
      token: key,
      ...sent,
      headers: {
        ...(sent.body !== undefined && { 'Content-Type': 'application/fhir+json' }),
        ...headers,
      },
    });
  /** A search by a form. */
  const post = (type: string, form: Record<string, string>, sent: Sent = {}) =>
    ask(`${type}/_search`, {
      ...sent,
      method: 'POST',
      raw: new URLSearchParams(form).toString(),
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...sent.headers },
    });
  return { world, clinic, key, ask, post };
};

export type FhirClinic = Awaited<ReturnType<typeof createFhirClinic>>;

interface Entry {
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever resource came.
  resource: any;
  search: { mode: string };
}

/** The resources of a Bundle by their mode. */
export const entriesOf = ({ body }: { body: { entry?: Entry[] } }, mode = 'match') =>
  (body.entry ?? []).filter((entry) => entry.search.mode === mode).map(({ resource }) => resource);

/** The path of the next page, below the base; undefined on the last. */
export const nextOf = ({ body }: { body: { link?: { relation: string; url: string }[] } }) =>
  body.link?.find(({ relation }) => relation === 'next')?.url.slice(`${base}/`.length);
