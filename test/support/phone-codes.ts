import type { WebhookMessage, WebhookOutcome } from '../../src/core/deps.ts';
import { createWorld, type World } from './world.ts';

export const on = {
  LOGIN_BY_PHONE_CODE: 'on',
  NOTICE_API_URL: 'https://gateway.example/messages',
  NOTICE_API_KEY: 'kunci-gateway',
};
export const phone = '0812-3456-7890';
export const word = '6281234567890';
export const person = { name: 'Putri Ayu', birth_date: '1990-05-17' };

export interface Phones {
  world: World;
  sent: WebhookMessage[];
  logged: string[];
}

/** A clinic whose gateway gives an answer, and what it was handed. */
export const createPhones = async (
  settings: Record<string, string> = {},
  outcome: WebhookOutcome = { status: 200 },
): Promise<Phones> => {
  const world = await createWorld({ ...on, ...settings });
  const sent: WebhookMessage[] = [];
  const logged: string[] = [];
  world.deps.sendMessage = async (message) => {
    sent.push(message);
    return outcome;
  };
  for (const level of ['debug', 'info', 'warn', 'error'] as const)
    world.deps.log[level] = (...line) => void logged.push(JSON.stringify(line));
  return { world, sent, logged };
};

export const ask = async (
  { world }: Pick<Phones, 'world'>,
  typed: string = phone,
  headers: Record<string, string> = {},
) => {
  const answer = await world.request('/v1/auth/code', { body: { phone: typed }, headers });
  await Promise.all(world.background.splice(0));
  return answer;
};

export const codeIn = ({ sent }: Pick<Phones, 'sent'>): string =>
  JSON.parse(sent.at(-1)?.body ?? '{}').template?.components[0]?.parameters[0].text ?? '';

export const wrongOf = (code: string) => `${code.slice(0, -1)}${(Number(code.at(-1)) + 1) % 10}`;

export const verify = async (
  { world }: Pick<Phones, 'world'>,
  body: object,
  headers: Record<string, string> = {},
) => {
  const answer = await world.request('/v1/auth/code/verify', { body: { phone, ...body }, headers });
  await Promise.all(world.background.splice(0));
  return answer;
};

/** Registers a person by a phone. */
export const enter = async (
  phones: Phones,
  fields: { phone?: string; name?: string; birth_date?: string } = person,
) => {
  await ask(phones, fields.phone);
  const { status, body } = await verify(phones, { code: codeIn(phones), ...fields });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { id: body.data.user.id as string, token: body.data.access_token as string, user: body.data.user };
};
