import { expect, it } from 'vitest';
import { parseConfig } from '../../src/core/settings/config.ts';
import {
  assertClinicSettings,
  buildEnvironment,
  createSettingsBox,
  openSettings,
  readClinicConfig,
  sealSettings,
} from '../../src/modules/clinics/settings.ts';
import { bpjsSettings } from '../support/peers/bpjs.ts';
import { satusehatSettings } from '../support/peers/satusehat.ts';
import { secret, secretsOf } from '../support/world.ts';

const clinicWith = (settings: Record<string, string>) => ({
  ...{ id: 'melati', timeZone: 'Asia/Makassar', hosts: ['melati.janji.example'] },
  settings,
});
const accounts = { ...bpjsSettings, ...satusehatSettings };

it('a clinic without an account with a health system does not report under the deployment’s', () => {
  const deployment = parseConfig({ ...accounts, BPJS: 'rs', MAX_ADVANCE_DAYS: '60' });
  const config = readClinicConfig(deployment, clinicWith({}));
  expect(config).toMatchObject({ BPJS: 'rs', SATUSEHAT: 'off', MAX_ADVANCE_DAYS: 60 });
  const named = Object.keys(accounts).filter((name) => /SECRET|KEY|_ID$|^BPJS_URL/.test(name));
  for (const name of named) expect([name, config[name as keyof typeof config]]).toEqual([name, undefined]);
  const environment = buildEnvironment({ ...accounts, BPJS: 'rs' }, clinicWith({}));
  expect(named.filter((name) => name in environment)).toEqual([]);
});

it('an account is taken whole or not at all', () => {
  const deployment = parseConfig({});
  const { BPJS_SECRET: _, ...rest } = bpjsSettings;
  expect(() => assertClinicSettings(deployment, clinicWith(rest))).toThrow('BPJS_SECRET is missing');
  expect(() => assertClinicSettings(deployment, clinicWith({ SATUSEHAT: 'on' }))).toThrow(
    'SATUSEHAT_CLIENT_SECRET is missing',
  );
  expect(readClinicConfig(deployment, clinicWith(accounts))).toMatchObject({
    SATUSEHAT: 'on',
    BPJS_CONS_ID: bpjsSettings.BPJS_CONS_ID,
  });
});

it('the directory holds no secret of a health system in the clear', async () => {
  const box = await createSettingsBox('melati', {} as never, secretsOf(secret));
  const settings = { ...accounts, BPJS_PCARE_LOGIN: 'pengguna:sandi-pcare:095' };
  const stored = await sealSettings(settings, box);
  const secrets = [
    bpjsSettings.BPJS_SECRET,
    bpjsSettings.BPJS_USER_KEY,
    satusehatSettings.SATUSEHAT_CLIENT_SECRET,
    'sandi-pcare',
  ];
  expect(secrets.filter((one) => JSON.stringify(stored).includes(one))).toEqual([]);
  expect(await openSettings(stored, async () => box)).toEqual(settings);
});
