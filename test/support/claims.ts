import { createClinic } from './clinic-people.ts';
import { createWorld } from './world.ts';

export const birth_date = '2019-04-23';

export const setUp = async (settings: Record<string, string> = {}) => {
  const world = await createWorld(settings);
  const clinic = await createClinic(world, { capacity: 5 });
  const { staff, patient: mother } = clinic;
  const add = async (fields: object = {}): Promise<string> => {
    const body = { name: 'Bagus Anak', birth_date, confirm: true, ...fields };
    return (await world.request('/v1/patients', { token: staff.token, body })).body.data.id;
  };
  const codeFor = (id: string, headers: Record<string, string> = {}, who = staff) =>
    world.request(`/v1/patients/${id}/claim-code`, { method: 'POST', token: who.token, headers });
  const claim = (fields: object, who: { token: string } = mother, headers: Record<string, string> = {}) =>
    world.request('/v1/family/claim', {
      token: who.token,
      body: { birth_date, relation: 'child', ...fields },
      headers,
    });
  const handedOver = async (fields: object = {}) => {
    const id = await add(fields);
    return { id, code: (await codeFor(id)).body.data.code as string };
  };
  const familyOf = async (who: { token: string } = mother) =>
    (await world.request('/v1/family', { token: who.token })).body.data.map(({ id }: { id: string }) => id);
  return { world, clinic, staff, mother, add, codeFor, claim, handedOver, familyOf };
};
