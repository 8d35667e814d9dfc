import type { DatabaseSync } from 'node:sqlite';
import { clinicKeys } from '../src/core/crypto/clinic-keys.ts';
import { createTokenKeys } from '../src/core/crypto/token-keys.ts';
import { issueAccessToken } from '../src/modules/auth/tokens.ts';
import { count, deskId, loginId, patientCount, patientId, secret } from './clinic.ts';

/** Lets a database take tokens that are signed by the secret itself, as other contenders and older versions do. */
export const acceptLegacyTokens = (db: DatabaseSync): void => {
  const hasOwnKeys = db.prepare("select 1 from pragma_table_info('clinic') where name = 'legacy_keys_until'");
  // A checkout from before knows no other tokens.
  if (hasOwnKeys.get() !== undefined) db.exec('update clinic set legacy_keys_until = 9007199254740991');
};

/** Keys that sign with the secret itself. */
export const legacyTokenKeys = async () => {
  const { secrets, ...identity } = await clinicKeys(
    { clinicId: '', hasLegacyKeys: true },
    { secret, dataKey: secret },
  );
  return createTokenKeys({ ...identity, secrets: secrets.slice(-1) });
};

/** Access tokens of the patients, which every contender takes, and last the desk's. */
export const makeTokens = async (): Promise<string[]> => {
  const keys = await legacyTokenKeys();
  const tokens: string[] = [];
  for (const at of count(patientCount + 1)) {
    const isDesk = at === patientCount;
    const claims = {
      userId: isDesk ? deskId : patientId(at),
      deviceLoginId: loginId(at),
      role: isDesk ? ('staff' as const) : ('patient' as const),
    };
    tokens.push(await issueAccessToken(keys, claims, Date.now(), 86_400));
  }
  return tokens;
};
