import { existsSync, readFileSync } from 'node:fs';
import { type Config, parseConfig } from '../../config.ts';
import { clinicKeys } from '../../crypto/clinic-keys.ts';
import { createSecretBox } from '../../crypto/sealing.ts';
import { identityIn } from '../backup/another-clinic.ts';
import { withFile } from '../database/database-file.ts';

const secretOf = ({ JWT_SECRET }: Config, databasePath: string): string | undefined => {
  if (JWT_SECRET !== undefined) return JWT_SECRET;
  const secretFile = `${databasePath}.jwt-secret`;
  return existsSync(secretFile) ? readFileSync(secretFile, 'utf8').trim() : undefined;
};

/** How many webhook secrets of a database cannot be opened with the token secret beside it or in the settings. */
export const countUnsignable = async (path: string, environment: NodeJS.ProcessEnv): Promise<number> => {
  const config = parseConfig(environment);
  const { sealed, identity } = withFile(path, (database) => ({
    sealed: database.prepare('select secret from webhook_endpoints where retired_at is null').raw().all() as [
      string,
    ][],
    identity: identityIn(database, config.CLINIC_ID, Date.now()),
  }));
  const secret = secretOf(config, path);
  if (secret === undefined) return sealed.length;
  const box = await createSecretBox(await clinicKeys(identity, secret, config.JWT_SECRET_PREVIOUS));
  const opened = await Promise.all(sealed.map(([text]) => box.open(text)));
  return opened.filter((text) => text === null).length;
};
