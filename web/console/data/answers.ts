import { api } from '../../shared/api/clients.ts';
import { take } from '../../shared/api/take.ts';

export const readAnswers = async (id: string) =>
  (await take(api.v1.bookings[':id'].answers.$get({ param: { id } }))).data;
export type Answered = Awaited<ReturnType<typeof readAnswers>>;

export const answersKey = (id: string, version: number) => ['janji', id, 'jawaban', version] as const;
