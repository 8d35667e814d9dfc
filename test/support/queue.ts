import { act, book, createClinic } from './clinic-people.ts';
import { createPeople } from './people.ts';
import { createWorld } from './world.ts';

/** A practice of capacity 6 with shorthands for whom the reception lets come and calls. */
export const createQueue = async (capacity = 6) => {
  const world = await createWorld();
  const clinic = await createClinic(world, { capacity });
  const { doctorId, sessionId } = clinic.practice;
  const does = async (id: string, ...verbs: string[]) => {
    for (const verb of verbs) {
      const { status, body } = await act(world, clinic.staff, id, verb);
      if (status !== 200) throw new Error(`${verb}: ${JSON.stringify(body)}`);
    }
  };
  /** Books these times, each for a patient of its own, and does the same with all of them. */
  const come = async (times: readonly string[], verbs = ['approve', 'check-in']) => {
    const ids: string[] = [];
    const people = await createPeople(world, times.length);
    for (const [at, { token }] of people.entries()) {
      const id = await book(world, clinic, { schedule_time: `${times[at]}:00` }, token);
      await does(id, ...verbs);
      ids.push(id);
    }
    return ids;
  };
  const next = (who: { token: string } = clinic.staff, body: object = {}, headers = {}) =>
    world.request(`/v1/doctors/${doctorId}/queue/next`, { token: who.token, body, headers });
  const called = async () => (await next()).body.data?.id as string | undefined;
  const queues = async (query = '') => (await world.request(`/v1/queues${query}`)).body;
  const queue = async () => (await queues(`?doctor_id=${doctorId}&session_id=${sessionId}`)).data[0];
  return { world, clinic, does, come, next, called, queues, queue };
};
