import { type Config, parseConfig, sharedSettings } from '../config.ts';
import { SettingError } from '../parse-settings.ts';
import type { ClinicEntry } from './queries.ts';

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
export const clinicSettings: readonly string[] = Object.keys(sharedSettings).filter(
  (name) => !isOfDeployment(name),
);

/** The settings whose values are sealed in the directory, by the clinic's key. */
export const sealedSettings: readonly string[] = ['NOTICE_API_KEY', 'NOTICE_CALLBACK_SECRET'];

/** The address of a clinic, where it has no other setting. */
const defaultOrigin = (hosts: readonly string[]): Record<string, string> =>
  hosts[0] === undefined ? {} : { PUBLIC_URL: `https://${hosts[0]}` };

type Clinic = Pick<ClinicEntry, 'id' | 'timeZone' | 'hosts' | 'settings'>;

/**
 * What the environment would hold if the clinic were alone: its own settings over those of the deployment. A setting
 * that names one clinic's address is not inherited.
 */
export const buildEnvironment = (
  deployment: Readonly<Record<string, unknown>>,
  { id, timeZone, hosts, settings }: Clinic,
): Record<string, unknown> => {
  const { PUBLIC_URL: _, PASSWORD_RESET_URL: __, EMAIL_PROOF_URL: ___, ...inherited } = deployment;
  return {
    ...inherited,
    ...defaultOrigin(hosts),
    ...settings,
    CLINIC_ID: id,
    CLINIC_TIME_ZONE: timeZone,
  };
};

/** The settings in force at a clinic; throws a SettingError that names what cannot be accepted. */
export const readClinicConfig = (deployment: Readonly<Record<string, unknown>>, clinic: Clinic): Config =>
  parseConfig(buildEnvironment(deployment, clinic));

/** Refuses settings that are none of a clinic's own, or whose values cannot be accepted. */
export const assertClinicSettings = (deployment: Readonly<Record<string, unknown>>, clinic: Clinic): void => {
  const foreign = Object.keys(clinic.settings).filter((name) => !clinicSettings.includes(name));
  if (foreign.length > 0)
    throw new SettingError(
      `${foreign.join(', ')}: no setting of one clinic. A clinic has ${clinicSettings.join(', ')}.`,
    );
  readClinicConfig(deployment, clinic);
};
