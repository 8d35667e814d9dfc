import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHasher } from '../../../src/modules/auth/passwords/hasher.ts';
import { setState } from '../../../src/modules/clinics/queries.ts';
import { createSettingsBox } from '../../../src/modules/clinics/settings.ts';
import { enrolOperator, operatorsKeyId } from '../../../src/modules/operators/accounts.ts';
import { addClinic, createClinicMaker } from '../../../src/runtime/node/clinics/add-clinics.ts';
import {
  clinicPath,
  openDirectory,
  readClinicsSecrets,
} from '../../../src/runtime/node/clinics/directory-file.ts';
import { parseAllSettings } from '../../../src/runtime/node/settings.ts';
import { appCode } from '../../support/factors.ts';
import { startByScript } from '../servers.ts';

export const operatorMail = 'ani@vendor.example';
export const operatorPassword = 'jembatan-merah-9x';

const clinics = [
  { name: 'Klinik Gigi Anggrek', host: 'anggrek.janji.example', demo: true },
  { name: 'Klinik Ibu dan Anak Mawar Putih', host: 'mawar-putih.janji.example' },
  { name: 'Klinik Rusak', host: 'rusak.janji.example' },
] as const;

/** A deployment of three clinics, one of them closed and one damaged, with an operator. */
export const startDeployment = async (more: Readonly<Record<string, string>> = {}) => {
  const folder = mkdtempSync(join(tmpdir(), 'janji-operator-'));
  const given = { CLINICS: 'files', CLINICS_FOLDER: folder, RATE_LIMIT: 'off', ...more };
  const settings = parseAllSettings(given);
  const { db, close } = await openDirectory(folder, { make: true });
  const maker = createClinicMaker(settings);
  const now = Date.now();
  for (const { host, ...clinic } of clinics) {
    const { id } = await addClinic(
      { ...clinic, hosts: [host] },
      { directory: db, folder, settings, maker, now },
    );
    if (host.startsWith('mawar')) await setState(db, id, 'closed', now);
    if (host.startsWith('rusak'))
      writeFileSync(clinicPath(folder, { id, file: null }), 'rusak '.repeat(2_000));
  }
  maker.end();
  const box = await createSettingsBox(operatorsKeyId, settings, readClinicsSecrets(settings, folder));
  const account = { email: operatorMail, password: operatorPassword, isNew: true };
  const { secret } = await enrolOperator(account, { db, box, hasher: createHasher(), now });
  await close();
  const served = await startByScript('start', given);
  return {
    url: served.url,
    /** The code of the app so many half minutes from now: each is good once. */
    code: (ahead = 0) => appCode(secret, Date.now() + ahead * 30_000),
    stop: async () => {
      await served.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

export type OperatorDeployment = Awaited<ReturnType<typeof startDeployment>>;
