import { createSecretBox } from '../../../core/crypto/sealing.ts';
import { createTokenKeys } from '../../../core/crypto/token-keys.ts';
import type { Db } from '../../../core/db/db.ts';
import { consoleLogger } from '../../../core/log.ts';
import type { Config } from '../../../core/settings/config.ts';
import { countSealed } from '../../../jobs/rekey.ts';
import { type Finding, note, ok, wrong } from './finding.ts';
import { keysAtHand, secretsAtHand } from './sealed-secrets.ts';

interface Row {
  clinicId: string | null;
  sealedByJwt: boolean;
}

/** Whether all sealed values open with the present keys, and none needs an earlier key. */
export const checkSealed = async (
  db: Db,
  row: Row | undefined,
  config: Config,
  path: string | null,
): Promise<Finding[]> => {
  const secrets = secretsAtHand(config, path);
  if (row === undefined || secrets.dataKey === undefined) return [];
  const { sealedByJwt } = row;
  const identity = {
    clinicId: config.CLINIC_ID ?? row.clinicId ?? '',
    hasLegacyKeys: sealedByJwt,
    sealedByJwt,
  };
  const keys = await keysAtHand(identity, secrets);
  const [secretBox, tokenKeys] = [await createSecretBox(keys), await createTokenKeys(keys)];
  const { current, older, lost } = await countSealed({
    db,
    log: consoleLogger('silent'),
    secretBox,
    tokenKeys,
  });
  if (lost > 0)
    return [
      wrong(
        'sealed',
        `${lost} numbers and secrets of ${current + older + lost} do not open with DATA_KEY`,
        'put back the DATA_KEY that sealed them, or set it as DATA_KEY_PREVIOUS',
      ),
    ];
  if (older > 0 || sealedByJwt)
    return [
      note(
        'sealed',
        `${older} numbers and secrets wait for this DATA_KEY${sealedByJwt ? ', and JWT_SECRET still opens here' : ''}`,
        'janji rekey, once every server runs this version',
      ),
    ];
  return [ok('sealed', `all ${current} numbers and secrets, by this DATA_KEY`)];
};
