import { eq } from 'drizzle-orm';
import { clinicKeys, serverSecrets } from '../../../core/crypto/clinic-keys.ts';
import { createSecretBox } from '../../../core/crypto/sealing.ts';
import { createTokenKeys } from '../../../core/crypto/token-keys.ts';
import { consoleLogger } from '../../../core/log.ts';
import { clinic } from '../../../core/tables/catalog.ts';
import { rekey } from '../../../jobs/rekey.ts';
import { asAnotherClinic } from '../backup/another-clinic.ts';
import { openDatabase } from '../database/database.ts';
import { withFile } from '../database/database-file.ts';
import type { AllSettings } from '../settings.ts';
import { readClinicsSecrets } from './directory-file.ts';

/**
 * Gives the clinic of a copy another id. Sealed values are sealed again by the keys of the new id. Logins, API keys and calendar
 * addresses end: their keys are derived from the id.
 */
export const giveAnotherId = async (
  path: string,
  { from, to }: { from: string; to: string },
  { settings, folder }: { settings: AllSettings; folder: string },
): Promise<void> => {
  const { db, close } = await openDatabase(`file:${path}`);
  try {
    const [row] = await db.select().from(clinic).where(eq(clinic.id, 1));
    const secrets = serverSecrets(settings, readClinicsSecrets(settings, folder));
    const keysOf = (clinicId: string) =>
      clinicKeys({ clinicId, hasLegacyKeys: true, sealedByJwt: row?.sealedByJwt ?? false }, secrets);
    const before = await keysOf(from);
    const keys = await keysOf(to);
    const both = { ...keys, dataSecrets: [...keys.dataSecrets, ...before.dataSecrets] };
    const sealing = {
      db,
      log: consoleLogger('warn'),
      secretBox: await createSecretBox(both),
      tokenKeys: await createTokenKeys(both),
    };
    const { older, lost } = await rekey(sealing, () => {});
    if (older + lost > 0)
      throw new Error(
        `${older + lost} values are sealed by a key that is not set, and would be lost under another id: set JWT_SECRET and DATA_KEY as the service has them.`,
      );
  } finally {
    await close();
  }
  withFile(path, (database) => database.exec(`${asAnotherClinic(to)}; update clinic set sealed_by_jwt = 0`));
};
