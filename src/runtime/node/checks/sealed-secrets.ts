import { existsSync } from 'node:fs';
import { type ClinicIdentity, clinicKeys, type ServerSecrets } from '../../../core/crypto/clinic-keys.ts';
import { createSecretBox } from '../../../core/crypto/sealing.ts';
import { type Config, parseConfig } from '../../../core/settings/config.ts';
import { SettingError } from '../../../core/settings/parse-settings.ts';
import { identityIn } from '../backup/another-clinic.ts';
import { withFile } from '../database/database-file.ts';
import { readDataKey, readSecret } from '../secret.ts';
import { parseNodeSettings } from '../settings.ts';

/**
 * The content of a file beside the database; a damaged one counts as missing here, and is reported by `check` and the
 * start.
 */
const beside = (path: string | null, read: (path: string) => string): string | undefined => {
  if (path === null || !existsSync(path)) return undefined;
  try {
    return read(path);
  } catch (error) {
    if (error instanceof SettingError) return undefined;
    throw error;
  }
};

/** The existing secrets in the settings or beside the database: no secret is created. */
export const secretsAtHand = (
  config: Config,
  databasePath: string | null,
): Partial<ServerSecrets> & Pick<ServerSecrets, 'previousSecret' | 'previousDataKey'> => {
  const file = (end: string) => (databasePath === null ? null : `${databasePath}.${end}`);
  const secret = config.JWT_SECRET ?? beside(file('jwt-secret'), readSecret);
  const dataKey = config.DATA_KEY ?? beside(file('data-key'), readDataKey);
  return {
    ...(secret !== undefined && { secret }),
    ...(dataKey !== undefined && { dataKey }),
    previousSecret: config.JWT_SECRET_PREVIOUS,
    previousDataKey: config.DATA_KEY_PREVIOUS,
  };
};

/** A clinic's keys, derived from the secrets that are set. Values sealed with JWT_SECRET open only with that. */
export const keysAtHand = (
  { sealedByJwt, hasLegacyKeys, ...identity }: ClinicIdentity,
  { secret, dataKey, ...previous }: ReturnType<typeof secretsAtHand>,
) => {
  const isThere = secret !== undefined;
  const own = {
    ...identity,
    hasLegacyKeys: isThere && hasLegacyKeys,
    sealedByJwt: isThere && sealedByJwt === true,
  };
  // A key that is drawn here opens nothing.
  const drawn = () => crypto.randomUUID();
  return clinicKeys(own, { ...previous, secret: secret ?? drawn(), dataKey: dataKey ?? drawn() });
};

/** How many webhook secrets of a database cannot be opened with the keys beside it or in the settings. */
export const countUnsignable = async (path: string, environment: NodeJS.ProcessEnv): Promise<number> => {
  const config = parseConfig(environment);
  const { sealed, identity } = withFile(
    path,
    (database) => ({
      sealed: database
        .prepare('select secret from webhook_endpoints where retired_at is null')
        .raw()
        .all() as [string][],
      identity: identityIn(database, config.CLINIC_ID, Date.now()),
    }),
    parseNodeSettings(environment).DATABASE_KEY,
  );
  const box = await createSecretBox(await keysAtHand(identity, secretsAtHand(config, path)));
  const opened = await Promise.all(sealed.map(([text]) => box.open(text)));
  return opened.filter((text) => text === null).length;
};
