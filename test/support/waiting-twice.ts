import { waitlistEntries } from '../../src/core/tables/queues.ts';
import { createPerson } from './people.ts';
import { createWaiting, type Person, wishOf } from './waitlist.ts';

export const at = (time: string) => ({ earliest_time: time, latest_time: time });
export const nine = at('09:00:00');
export const ten = at('10:00:00');

/** An account and a record of the same patient that the desk has, a neighbour, and two slots that others will give back. */
export const setUp = async (settings: Record<string, string> = {}) => {
  const waiting = await createWaiting(settings);
  const { world, staff, practice } = waiting;
  const birth_date = '1960-08-17';
  const add = await world.request('/v1/patients', {
    token: staff.token,
    body: { name: 'Pak Darmo', birth_date, confirm: true },
  });
  const record: string = add.body.data.id;
  const [account, neighbour] = [await createPerson(world), await createPerson(world)];
  const taken = async (schedule_time: string) => {
    const holder = await createPerson(world);
    const { body } = await waiting.book(holder, { schedule_time });
    return { giveBack: () => waiting.cancel(holder, body.data.id) };
  };
  const [atNine, atTen] = [await taken('09:00:00'), await taken('10:00:00')];
  const waitForRecord = async (fields: object): Promise<string> => {
    const wish = { ...wishOf(practice), ...fields, patient_id: record };
    return (await world.request('/v1/waitlist', { token: staff.token, body: wish })).body.data.id;
  };
  const merge = (headers = {}) =>
    world.request(`/v1/patients/${record}/merge`, {
      token: staff.token,
      body: { into: account.id },
      headers,
    });
  const claim = async () => {
    const code = await world.request(`/v1/patients/${record}/claim-code`, {
      method: 'POST',
      token: staff.token,
    });
    const body = { code: code.body.data.code, birth_date, relation: 'self' };
    return world.request('/v1/family/claim', { token: account.token, body });
  };
  /** A person's entry: its id and the time of the offered seat. */
  const waitsFor = async ({ token }: Person): Promise<[string, string | null][]> => {
    const { body } = await world.request('/v1/waitlist', { token });
    return body.data.map(({ id, offer }: { id: string; offer: { schedule_time: string } | null }) => [
      id,
      offer?.schedule_time ?? null,
    ]);
  };
  const endedAs = async () =>
    (await world.db.select().from(waitlistEntries)).flatMap(({ id, endedAs: how }) =>
      how ? [[id, how]] : [],
    );
  return {
    ...waiting,
    record,
    account,
    neighbour,
    atNine,
    atTen,
    waitForRecord,
    merge,
    claim,
    waitsFor,
    endedAs,
  };
};
