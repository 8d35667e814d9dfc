import { ClinicMismatch } from '../../core/clinic/row.ts';
import { SettingError } from '../../core/settings/parse-settings.ts';
import { explainError } from './reason.ts';

/** Prints why the service does not start. */
export const cannotStart = (error: unknown): void => {
  const isKnown = error instanceof SettingError || error instanceof ClinicMismatch;
  process.stderr.write(isKnown ? `${error.message}\n` : `Janji cannot start: ${explainError(error)}\n`);
  process.exitCode = 1;
};
