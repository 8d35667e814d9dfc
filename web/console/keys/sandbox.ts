import { api } from '../../shared/api/clients.ts';
import { queries } from '../../shared/api/resource.ts';
import { clinicZone, dateOf } from '../../shared/time.ts';
import type { Schemas } from '../data/bookings.ts';

type Scopes = Schemas['ApiKey']['scopes'];

export interface TestKey {
  id: string;
  name: string;
  prefix: string;
  scopes: Scopes;
}

interface Answer<T> {
  status: number;
  headers: Headers;
  json(): Promise<{ status: 'success'; data: T; message: string }>;
}
type Call<T, I = Record<never, never>> = (input: I) => Promise<Answer<T>>;

/** The sandbox's endpoints: the document of the interface leaves them out, so the client has no types of them. */
export const { sandbox } = api.v1 as unknown as {
  sandbox: {
    $get: Call<{ now: string; keys: TestKey[] }>;
    keys: {
      $post: Call<TestKey & { key: string }, { json: { name: string; scopes: Scopes } }>;
      ':id': { $delete: Call<unknown, { param: { id: string } }> };
    };
    clock: { $post: Call<{ now: string }, { json: { now: string } }> };
    reset: { $post: Call<{ now: string }> };
  };
};

const queryKey = ['kunci', 'uji'];
export const sandboxQuery = { queryKey } as const;
export const sandboxChanged = (): Promise<void> => queries.invalidateQueries({ queryKey });

/** The date and the time of an instant at the clinic, as the fields of a form have them. */
export const toLocal = (instant: number | string): { date: string; time: string } => ({
  date: dateOf(instant),
  time: new Intl.DateTimeFormat('en-GB', {
    timeZone: clinicZone.value,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(instant)),
});

/** The instant of a date and a time at the clinic. */
export const toInstant = (date: string, time: string): string => {
  const wanted = Date.parse(`${date}T${time}Z`);
  let instant = wanted;
  // Once by the offset of about that time, and once more where the clocks are changed in between.
  for (let nth = 0; nth < 2; nth += 1) {
    const shown = toLocal(instant);
    instant += wanted - Date.parse(`${shown.date}T${shown.time}Z`);
  }
  return new Date(instant).toISOString();
};
