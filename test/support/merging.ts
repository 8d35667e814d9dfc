import { book, createClinic } from './clinic-people.ts';
import { createWorld } from './world.ts';

export const walkIn = { name: 'Pak Darmo', phone_number: '81355500001', phone_country_code: '62' };

export const setUp = async () => {
  const world = await createWorld();
  const clinic = await createClinic(world, { capacity: 5 });
  const { staff } = clinic;
  const add = async (fields: object = {}): Promise<string> => {
    const body = { ...walkIn, confirm: true, ...fields };
    return (await world.request('/v1/patients', { token: staff.token, body })).body.data.id;
  };
  const merge = (source: string, into: string, more: object = {}, headers = {}, who = staff) =>
    world.request(`/v1/patients/${source}/merge`, {
      token: who.token,
      body: { into, ...more },
      headers,
    });
  const bookFor = (patient_id: string, fields: object = {}) =>
    book(world, clinic, { patient_id, ...fields }, staff.token);
  const read = async (id: string) =>
    (await world.request(`/v1/patients/${id}`, { token: staff.token })).body.data;
  const search = async (q: string) => {
    const path = `/v1/patients?q=${encodeURIComponent(q)}`;
    const { body } = await world.request(path, { token: staff.token });
    return body.data.map(({ id }: { id: string }) => id);
  };
  return { world, clinic, staff, add, merge, bookFor, read, search };
};
