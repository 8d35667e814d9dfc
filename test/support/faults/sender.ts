import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer, Order } from './acknowledged.ts';

export interface Tally {
  sent: number;
  acknowledged: number;
  interrupted: number;
  unavailable: number;
  /** Answers that were lost and then repeated from the stored ones. */
  recovered: number;
}

const longestWaitMs = 60_000;

/** Sends a change until it is acknowledged or finally refused: as a client on a bad network does. */
export const makeSender = (bases: () => readonly string[], tally: Tally) => {
  const attempt = async ({ path, token, key, requestId, body }: Order): Promise<Answer | null> => {
    const all = bases();
    const base = all[Math.floor(Math.random() * all.length)];
    tally.sent += 1;
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${base}${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          'Content-Type': 'application/json',
          ...(key !== null && { 'Idempotency-Key': key }),
          'X-Request-Id': requestId,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(15_000),
      });
      text = await response.text();
    } catch {
      tally.interrupted += 1;
      return null;
    }
    if (response.status === 503) {
      if (response.headers.get('Retry-After') === null) throw new Error('A 503 without Retry-After');
      tally.unavailable += 1;
      return null;
    }
    const replayed = response.headers.get('Idempotency-Replayed') === 'true';
    if (response.status >= 500) throw new Error(`${path} answered ${response.status}: ${text}`);
    if (response.status < 300) tally.acknowledged += 1;
    return { status: response.status, text, body: JSON.parse(text), replayed };
  };

  return async (order: Order): Promise<Answer> => {
    const deadline = Date.now() + longestWaitMs;
    for (let tries = 1; Date.now() < deadline; tries++) {
      const answer = await attempt(order);
      if (answer?.replayed && tries > 1) tally.recovered += 1;
      if (answer !== null) return answer;
      await sleep(60 + Math.random() * 240);
    }
    throw new Error(`${order.path} was never answered`);
  };
};

export type Sender = ReturnType<typeof makeSender>;
