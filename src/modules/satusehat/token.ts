import { run } from '../../core/db/db.ts';
import type { Deps } from '../../core/deps.ts';
import { findTarget } from '../exchange/outbox/queries.ts';
import { keepToken, takeTokenTry } from './queries.ts';
import { judgeToken, type KnownToken } from './rules.ts';

type Access = { token: string; sealed: string } | { until: number; refused: boolean };

const askForToken = async ({ config, askPartner }: Deps, signal: AbortSignal) => {
  const answer = await askPartner(
    {
      method: 'POST',
      url: `${config.SATUSEHAT_AUTH_URL}/accesstoken?grant_type=client_credentials`,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        client_id: config.SATUSEHAT_CLIENT_ID ?? '',
        client_secret: config.SATUSEHAT_CLIENT_SECRET ?? '',
      }).toString(),
    },
    signal,
  );
  if ('failure' in answer) return { refused: false };
  try {
    // The seconds come as text.
    const { access_token: token, expires_in: seconds } = JSON.parse(answer.body);
    if (answer.status === 200 && typeof token === 'string' && Number(seconds) > 0)
      return { token, seconds: Number(seconds) };
  } catch {
    // A page of HTML, for example.
  }
  return { refused: answer.status >= 400 && answer.status < 500 };
};

/**
 * The access token that all processes share, renewed five minutes early; after a failure one process asks, once a minute.
 * Without one: until when there is none, and whether the client id was refused.
 */
export const getToken = async (deps: Deps, known: KnownToken, signal: AbortSignal): Promise<Access> => {
  const { db, clock, secretBox } = deps;
  const now = clock();
  const { use, renew, until } = judgeToken(known, now);
  let refused = false;
  if (renew && (await run(db, takeTokenTry(db, { now }))).length > 0) {
    const got = await askForToken(deps, signal);
    if (got.token !== undefined) {
      const sealed = await secretBox.seal(got.token);
      await run(db, keepToken(db, { token: sealed, until: now + got.seconds * 1000 }));
      return { token: got.token, sealed };
    }
    refused = got.refused;
  }
  const latest = use ? known : ((await run(db, findTarget(db, { target: 'satusehat' })))[0] ?? known);
  const isGood = latest.token !== null && (latest.tokenUntil ?? 0) > now;
  const token = isGood && latest.token !== null ? await secretBox.open(latest.token) : null;
  if (token !== null && latest.token !== null) return { token, sealed: latest.token };
  return { until: Math.max(until, now) + (renew ? 60_000 : 0), refused };
};
