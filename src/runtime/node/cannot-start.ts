import { ClinicMismatch } from '../../core/clinic/row.ts';
import { SettingError } from '../../core/settings/parse-settings.ts';
import { PassingError } from './passing-error.ts';
import { explainError } from './reason.ts';

/** EX_CONFIG of sysexits.h: another start fails as well until somebody changes something, so deploy/janji.service makes none. */
const wrongSettings = 78;

/** Prints why the service does not start. */
export const cannotStart = (error: unknown): void => {
  const isKnown = error instanceof SettingError || error instanceof ClinicMismatch;
  process.stderr.write(isKnown ? `${error.message}\n` : `Janji cannot start: ${explainError(error)}\n`);
  process.exitCode = isKnown && !(error instanceof PassingError) ? wrongSettings : 1;
};
