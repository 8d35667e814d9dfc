import { clinicKeys, type ServerSecrets, serverSecrets } from '../../core/crypto/clinic-keys.ts';
import { createSecretBox, type SecretBox } from '../../core/crypto/sealing.ts';
import {
  buildRelyingParty,
  type Config,
  readOrigins,
  sharedSettings,
  withOwnPages,
  withWholeIssuer,
  withWholePartners,
} from '../../core/settings/config.ts';
import { parseSettings, SettingError } from '../../core/settings/parse-settings.ts';
import type { ClinicEntry } from './queries.ts';
import type { StoredSettings } from './tables.ts';

/** The settings that are the deployment's: of the rest, each clinic may have its own. */
const ofDeployment = [
  'CLINIC_TIME_ZONE',
  'CLINIC_ID',
  'JWT_SECRET',
  'JWT_SECRET_PREVIOUS',
  'DATA_KEY',
  'DATA_KEY_PREVIOUS',
  'MAIL_API_URL',
  'MAIL_API_KEY',
  'MAIL_TO_LOG',
  'LOG_LEVEL',
  'RATE_LIMIT',
  'WEBHOOK_ALLOW_PRIVATE',
  'ACCESS_TOKEN_TTL_SECONDS',
] as const satisfies readonly (keyof Config)[];

const isOfDeployment = (name: string): boolean => (ofDeployment as readonly string[]).includes(name);

/** The names of the settings that a clinic may have of its own. */
const clinicSettings: readonly string[] = Object.keys(sharedSettings).filter((name) => !isOfDeployment(name));

/** The settings whose values are sealed in the directory, by the clinic's key. */
export const sealedSettings: readonly string[] = [
  'NOTICE_API_KEY',
  'NOTICE_CALLBACK_SECRET',
  'BPJS_SECRET',
  'BPJS_USER_KEY',
  'BPJS_PCARE_LOGIN',
  'SATUSEHAT_CLIENT_SECRET',
  'OIDC_CLIENT_SECRET',
];

/** The settings that are of one clinic alone: one that has none of its own does not take the deployment's. */
const ownAlone = [
  'PUBLIC_URL',
  'PASSWORD_RESET_URL',
  'EMAIL_PROOF_URL',
  // An account with a health system is a clinic's: under another's, its visits would be reported as those of the other.
  'BPJS_URL',
  'BPJS_CONS_ID',
  'BPJS_SECRET',
  'BPJS_USER_KEY',
  'BPJS_PCARE_LOGIN',
  'SATUSEHAT',
  'SATUSEHAT_CLIENT_ID',
  'SATUSEHAT_CLIENT_SECRET',
  'SATUSEHAT_ORGANIZATION_ID',
  // So is the provider that says who its people are.
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_DOMAINS',
  'OIDC_ROLE_CLAIM',
  'OIDC_PASSWORDS_OFF',
  'OIDC_BREAK_GLASS',
] as const satisfies readonly (keyof Config)[];

const sealedMark = 'sealed:';

/** The box that seals a clinic's secret settings. */
export const createSettingsBox = async (
  clinicId: string,
  settings: Parameters<typeof serverSecrets>[0],
  secrets: Pick<ServerSecrets, 'secret' | 'dataKey'>,
): Promise<SecretBox> =>
  createSecretBox(await clinicKeys({ clinicId, hasLegacyKeys: false }, serverSecrets(settings, secrets)));

/** The settings as the directory stores them: the secret ones sealed. */
export const sealSettings = async (settings: StoredSettings, box: SecretBox): Promise<StoredSettings> => {
  const entries = Object.entries(settings).map(async ([name, value]) => [
    name,
    sealedSettings.includes(name) ? `${sealedMark}${await box.seal(value)}` : value,
  ]);
  return Object.fromEntries(await Promise.all(entries));
};

/** The settings in the clear; the box is made only where one is sealed. Throws if it was sealed by another key. */
export const openSettings = async (
  settings: StoredSettings,
  makeBox: () => Promise<SecretBox>,
): Promise<StoredSettings> => {
  const isSealed = (value: string) => value.startsWith(sealedMark);
  if (!Object.values(settings).some(isSealed)) return settings;
  const box = await makeBox();
  const entries = Object.entries(settings).map(async ([name, value]) => {
    if (!isSealed(value)) return [name, value];
    const opened = await box.open(value.slice(sealedMark.length));
    if (opened === null) throw new SettingError(`${name} of this clinic was sealed by another DATA_KEY.`);
    return [name, opened];
  });
  return Object.fromEntries(await Promise.all(entries));
};

/** The address of a clinic, where it has no other setting. */
const defaultOrigin = (hosts: readonly string[]): Record<string, string> =>
  hosts[0] === undefined ? {} : { PUBLIC_URL: `https://${hosts[0]}` };

type Clinic = Pick<ClinicEntry, 'id' | 'timeZone' | 'hosts' | 'settings'>;

const withoutOwn = (deployment: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(deployment).filter(([name]) => !(ownAlone as readonly string[]).includes(name)),
  );

/** What the environment would hold if the clinic were alone: its own settings over those that it inherits. */
export const buildEnvironment = (
  deployment: Readonly<Record<string, unknown>>,
  { id, timeZone, hosts, settings }: Clinic,
): Record<string, unknown> => ({
  ...withoutOwn(deployment),
  ...defaultOrigin(hosts),
  ...settings,
  CLINIC_ID: id,
  CLINIC_TIME_ZONE: timeZone,
});

const parseNamed = (names: readonly string[], source: Readonly<Record<string, unknown>>): Partial<Config> => {
  const known = names.filter((name) => Object.hasOwn(sharedSettings, name));
  return parseSettings(
    Object.fromEntries(known.map((name) => [name, sharedSettings[name as keyof Config]])),
    source,
  );
};

const inherited = new WeakMap<Config, Config>();

/** What a clinic without settings inherits: of what is not inherited, the default. Found once for all clinics. */
const inheritedBy = <C extends Config>(deployment: C): C => {
  const known = inherited.get(deployment);
  // It was made of the very same settings.
  if (known !== undefined) return known as C;
  const made = { ...deployment, ...parseNamed(ownAlone, {}) };
  inherited.set(deployment, made);
  return made;
};

/** The settings in force at a clinic, of which few are its own; throws a SettingError that names what is wrong. */
export const readClinicConfig = <C extends Config>(
  deployment: C,
  { id, timeZone, hosts, settings }: Clinic,
): C => {
  const own = { ...defaultOrigin(hosts), ...settings };
  const config = withOwnPages(
    withWholeIssuer(
      withWholePartners({
        ...inheritedBy(deployment),
        ...parseNamed(Object.keys(own), own),
        CLINIC_ID: id,
        CLINIC_TIME_ZONE: timeZone,
      }),
    ),
  );
  buildRelyingParty(config);
  return config;
};

/** The origins of a clinic, or of the deployment, also where the rest of the settings cannot be read. */
export const originsOf = (
  deployment: { CORS_ORIGINS?: unknown },
  clinic: Pick<ClinicEntry, 'settings'> | null,
): readonly string[] => readOrigins({ CORS_ORIGINS: deployment.CORS_ORIGINS, ...clinic?.settings });

/** Refuses settings that are none of a clinic's own, or whose values cannot be accepted. */
export const assertClinicSettings = (deployment: Config, clinic: Clinic): void => {
  const foreign = Object.keys(clinic.settings).filter((name) => !clinicSettings.includes(name));
  if (foreign.length > 0)
    throw new SettingError(
      `${foreign.join(', ')}: no setting of one clinic. A clinic has ${clinicSettings.join(', ')}.`,
    );
  readClinicConfig(deployment, clinic);
};

/** The settings of a clinic as the directory stores them, after a change; null or '' takes one away. Throws a SettingError. */
export const changeSettings = async (
  clinic: Clinic,
  changes: Readonly<Record<string, string | null>>,
  deployment: Config,
  secrets: Pick<ServerSecrets, 'secret' | 'dataKey'>,
): Promise<StoredSettings> => {
  const box = await createSettingsBox(clinic.id, deployment, secrets);
  const settings: Record<string, string> = { ...(await openSettings(clinic.settings, async () => box)) };
  for (const [name, value] of Object.entries(changes))
    if (value === null || value === '') delete settings[name];
    else settings[name] = value;
  assertClinicSettings(deployment, { ...clinic, settings });
  return sealSettings(settings, box);
};
